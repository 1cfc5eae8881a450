# syntax=docker/dockerfile:1
# One image for all processes. Targets:
#   app      without tools: publisher, control plane, command line
#   runtime  app + Hermes + GBrain, as a user without rights; what a build without --target makes
#   worker   runtime started as root, for one purpose: to give Hermes and GBrain a user of their own (AGENT_USER)
# docs/deploy.md tells how to build, pin and check it.
#checkov:skip=CKV_DOCKER_2:The processes differ; Cloud Run probes /readyz and /healthz, as terraform/run.tf says.

FROM python:3.11.14-slim-bookworm AS python
ENV LANG=C.UTF-8 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PYTHONUNBUFFERED=1


FROM python AS wheel
WORKDIR /build
COPY requirements/build-constraints.txt requirements/
RUN pip install --constraint requirements/build-constraints.txt setuptools
COPY pyproject.toml README.md ./
COPY service/ service/
COPY contract/ contract/
COPY manifests/ manifests/
COPY renderers/ renderers/
COPY templates/ templates/
COPY publisher/ publisher/
COPY controlplane/ controlplane/
COPY consumer/ consumer/
COPY reader/ reader/
COPY local/ local/
ARG SOURCE_DATE_EPOCH=315532800
RUN pip wheel --no-deps --no-build-isolation --wheel-dir dist .


FROM python AS venv
WORKDIR /build
RUN python -m venv /opt/cloop
COPY requirements/constraints.txt requirements/
COPY pyproject.toml ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > dependencies.txt \
    && /opt/cloop/bin/pip install --constraint requirements/constraints.txt --requirement dependencies.txt
COPY --from=wheel /build/dist/ dist/
RUN /opt/cloop/bin/pip install --no-deps dist/*.whl \
    && /opt/cloop/bin/pip check \
    && /opt/cloop/bin/cloop-memory --help > /dev/null


FROM python AS hermes
WORKDIR /build
ARG HERMES_VERSION=0.19.0
COPY requirements/hermes-constraints.txt requirements/
RUN python -m venv /opt/hermes \
    && /opt/hermes/bin/pip install --constraint requirements/hermes-constraints.txt "hermes-agent[mcp]==${HERMES_VERSION}" \
    && case "$(/opt/hermes/bin/hermes --version)" in "Hermes Agent v${HERMES_VERSION}"*) ;; *) exit 1 ;; esac


FROM oven/bun:1.4.4-slim AS brain
WORKDIR /opt/gbrain
ARG GBRAIN_VERSION=0.46.28
COPY vendor/ /build/vendor/
RUN test -f /build/vendor/gbrain/package.json \
    || { echo "vendor/gbrain is missing: vendor/README.md tells how to get GBrain ${GBRAIN_VERSION}" >&2; exit 1; }
RUN cp -R /build/vendor/gbrain/. . \
    && bun install --frozen-lockfile --production --ignore-scripts \
    && printf '%s\n' '#!/bin/sh' 'exec /usr/local/bin/bun --no-env-file --config=/dev/null /opt/gbrain/src/cli.ts "$@"' > gbrain \
    && chmod 0755 gbrain
WORKDIR /
RUN found="$(GBRAIN_SKIP_STARTUP_HOOKS=1 /opt/gbrain/gbrain --version)" \
    && case "${found}" in "gbrain ${GBRAIN_VERSION}"*) ;; \
       *) echo "vendor/gbrain holds '${found}', this image is for gbrain ${GBRAIN_VERSION}" >&2; exit 1 ;; esac


FROM python AS app
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tini=0.19.0-* \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 cloop \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin cloop \
    && groupadd --gid 10002 agent \
    && useradd --uid 10002 --gid 10002 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin agent \
    && install --directory --mode=0711 --owner=10001 --group=10001 /run/cloop \
    && tini --version
COPY --from=venv /opt/cloop /opt/cloop
ENV PATH=/opt/cloop/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    RUN_ROOT=/run/cloop
RUN python --version && cloop-memory --help > /dev/null
WORKDIR /
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["cloop-memory", "--help"]


FROM app AS runtime
COPY --from=hermes /opt/hermes /opt/hermes
COPY --from=brain /usr/local/bin/bun /usr/local/bin/bun
COPY --from=brain /opt/gbrain /opt/gbrain
COPY --from=brain /opt/gbrain/gbrain /usr/local/bin/gbrain
ENV GBRAIN_BIN=/usr/local/bin/gbrain \
    HERMES_BIN=/opt/hermes/bin/hermes
RUN bun --version && gbrain --version && "${HERMES_BIN}" --version
# A new workspace unpacks this empty brain in a third of a second instead of waiting ten for gbrain init.
ARG EMBEDDING_MODEL=text-embedding-3-small
USER 0:0
RUN cloop-memory brain prepare /opt/gbrain/template.tar.zst --embedding-model "${EMBEDDING_MODEL}" \
    && chmod 0444 /opt/gbrain/template.tar.zst
USER 10001:10001
ENV GBRAIN_TEMPLATE=/opt/gbrain/template.tar.zst


FROM runtime AS worker
ENV AGENT_USER=10002:10002
# hadolint ignore=DL3002
USER 0:0


FROM runtime AS default
USER 10001:10001
