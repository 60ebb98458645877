# The image of the service: docs/self-hosting.md#docker. BASE and NODE can name mirrors of the same images.
ARG BASE=docker.io/library/debian:bookworm-slim
ARG NODE=docker.io/library/node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
# The scripts of packages stay off: the only one that matters would download another copy of Node.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Without the source maps of packages, which are a fifth of them.
RUN node scripts/build-package.ts /package \
 && cd /package \
 && npm ci --ignore-scripts --no-audit --no-fund \
 && find node_modules -name '*.map' -delete
# Compiled once here, since the file system of the container is read-only.
RUN node /package/bin/tributary.js --version && cp "$(command -v node)" /node

FROM ${BASE}
COPY --from=build /node /usr/local/bin/node
COPY --from=build /usr/local/LICENSE /usr/share/doc/node/LICENSE
COPY --from=build /package /opt/tributary
RUN ln -s /opt/tributary/bin/tributary.js /usr/local/bin/tributary \
 && useradd --system --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin tributary \
 && install -d -m 0700 -o tributary -g tributary /data
USER 10001:10001
# METRICS_HOST stays on the loopback interface: metrics are for those who run the container.
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=8780
# A tenth less memory: docs/benchmarks.md#memory.
ENV MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
VOLUME /data
EXPOSE 8780
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=8", "/opt/tributary/bin/tributary.js"]
CMD ["serve"]
