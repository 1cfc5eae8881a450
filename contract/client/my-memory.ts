// From sign-in to "My memory" inside the app, in five calls; then forgetting, exports and rules. The types in reader.d.ts are generated from the reader's
// OpenAPI document; `make client` generates them and compiles this file.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./reader";

export type Today = components["schemas"]["Today"];
export type Asked = components["schemas"]["AskAnswer"];
export type Sentence = components["schemas"]["CitedSentence"];
export type Place = components["schemas"]["CitedPlace"];
/** Exactly one of `record`, `person`, `topic`, `source`, `before`. */
export type ForgetSelection = Omit<components["schemas"]["ForgetRequest"], "token" | "records" | "keep_out">;
export type ForgetList = components["schemas"]["ForgetAnswer"];
export type ForgetRecord = components["schemas"]["ForgetRecord"];
export type Order = components["schemas"]["OrderView"];
export type Rule = components["schemas"]["RuleView"];
export type RuleDetail = components["schemas"]["RuleHolds"];
type Reading = { read: components["schemas"]["Location"][] };

/** A refused call. `retryAfterS`: seconds to wait, where waiting helps. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterS: number | null,
  ) {
    super(message);
  }
}

/** The calls of a signed-in user. `token` gives the app's current access token, so that a refreshed one is used. */
export class MyMemory {
  private readonly client: Client<paths>;

  constructor(
    private readonly baseUrl: string,
    private readonly token: () => Promise<string>,
  ) {
    this.client = createClient<paths>({ baseUrl });
    this.client.use({
      onRequest: async ({ request }) => {
        request.headers.set("authorization", `Bearer ${await token()}`);
        return request;
      },
    });
  }

  /** What is due, what is owed both ways, and the next meetings. */
  async today(): Promise<Today> {
    return given(await this.client.GET("/v1/me/today"));
  }

  /** The page behind a citation, as HTML that is safe to show; scroll to the citation's anchor. */
  async page(place: Pick<Place, "page">): Promise<string> {
    const answer = await this.client.GET("/v1/me/pages/{page}", {
      params: { path: { page: place.page }, query: { format: "html" } },
      parseAs: "text",
    });
    return given(answer);
  }

  /** An answer whose every sentence cites, in one piece. */
  async ask(question: string): Promise<Asked> {
    return given(await this.client.POST("/v1/me/ask", { body: { question }, parseAs: "json" })) as Asked;
  }

  /** The same as it comes: each sentence has been checked before it is sent. */
  async askStreamed(
    question: string,
    on: { reading?: (reading: Reading) => void; sentence?: (sentence: Sentence) => void },
    signal?: AbortSignal,
  ): Promise<Asked> {
    const response = await fetch(`${this.baseUrl}/v1/me/ask`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await this.token()}`,
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      body: JSON.stringify({ question }),
      signal: signal ?? null,
    });
    if (!response.ok || !response.body) throw refused(response, await response.json());
    for await (const [name, data] of events(response.body)) {
      if (name === "reading") on.reading?.(data as Reading);
      if (name === "sentence") on.sentence?.(data as Sentence);
      if (name === "done") return data as Asked;
      if (name === "error") throw refused(response, data);
    }
    throw new Refused(502, "stream_cut", "the answer ended before it was done", null);
  }

  /** One tap on a loop: it is not open any more, at once. */
  async done(loop: { id: string }): Promise<string> {
    const answer = await this.client.POST("/v1/me/corrections", {
      body: { verdict: "done", statement: loop.id },
    });
    return given(answer).id;
  }

  /**
   * What would be forgotten: every record that the selection means, with `ticked` for those that are surely meant. Show
   * the list; `confirmForget` takes what the user chose of it within ten minutes. `token` null: nothing matches.
   */
  async previewForget(selection: ForgetSelection): Promise<ForgetList> {
    return given(await this.client.POST("/v1/me/forget", { body: selection }));
  }

  /**
   * Order that the chosen records are forgotten. They are hidden from now on. `keepOut`: later records of the selection
   * stay away, too; only if the list says `can_keep_out`. A repeat with the same records returns the same order.
   * `arrived` names records that match but were not in the list.
   */
  async confirmForget(
    selection: ForgetSelection,
    token: string,
    chosen: readonly ForgetRecord[],
    keepOut = false,
  ): Promise<{ order: Order; arrived: ForgetRecord[] }> {
    const records = chosen.map(({ record }) => record);
    const body = { ...selection, token, records, keep_out: keepOut };
    const { order, arrived } = given(await this.client.POST("/v1/me/forget", { body }));
    if (!order) throw new Refused(502, "unreadable", "a confirmed forget has no order", null);
    return { order, arrived: arrived ?? [] };
  }

  /** The user's orders to forget, newest first; an order's `state` says how far it is. */
  async forgets(): Promise<Order[]> {
    return given(await this.client.GET("/v1/me/forget")).orders ?? [];
  }

  /** The receipt of an order that is done, with its proof: a file for the user to keep. */
  async receipt(order: Pick<Order, "id">): Promise<Blob> {
    const params = { path: { order_id: order.id } };
    return given(await this.client.GET("/v1/me/forget/{order_id}/receipt", { params, parseAs: "blob" })) as Blob;
  }

  /** Order an archive of everything. While an order is open, a repeat returns it. */
  async orderExport(): Promise<Order> {
    return given(await this.client.POST("/v1/me/export"));
  }

  /** The user's exports, newest first. */
  async exports(): Promise<Order[]> {
    return given(await this.client.GET("/v1/me/export")).orders ?? [];
  }

  /** The archive of an order that is done, as a tar file. It is available for a week. */
  async exportFile(order: Pick<Order, "id">): Promise<Blob> {
    const params = { path: { order_id: order.id } };
    return given(await this.client.GET("/v1/me/export/{order_id}/file", { params, parseAs: "blob" })) as Blob;
  }

  /** The proof that the archive has everything of a signed commit. */
  async exportProof(order: Pick<Order, "id">): Promise<Blob> {
    const params = { path: { order_id: order.id } };
    return given(await this.client.GET("/v1/me/export/{order_id}/proof", { params, parseAs: "blob" })) as Blob;
  }

  /** Standing rules as memory understood them, rules in force first. */
  async rules(): Promise<Rule[]> {
    return given(await this.client.GET("/v1/me/rules")).rules;
  }

  /** A rule with the records that it withholds. */
  async rule(rule: Pick<Rule, "id">): Promise<RuleDetail> {
    return given(await this.client.GET("/v1/me/rules/{rule_id}", { params: { path: { rule_id: rule.id } } }));
  }

  /** Switch a rule on, or off until it is changed in the app. */
  async switchRule(rule: Pick<Rule, "id">, on: boolean): Promise<Rule[]> {
    const params = { path: { rule_id: rule.id } };
    return given(await this.client.POST("/v1/me/rules/{rule_id}", { params, body: { on } })).rules;
  }
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

function given<T>(answer: Answer<T>): T {
  if (answer.data === undefined) throw refused(answer.response, answer.error);
  return answer.data;
}

function refused(response: Response, body: unknown): Refused {
  const error = (body as Partial<components["schemas"]["ErrorBody"]> | undefined)?.error;
  const wait = Number(response.headers.get("retry-after"));
  return new Refused(response.status, error?.code ?? "unreadable", error?.message ?? "", wait > 0 ? wait : null);
}

/** The events of a stream: name and data of each. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<[string, unknown]> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
      if (name !== undefined && data !== undefined) yield [name, JSON.parse(data)];
    }
  }
}
