import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { METRICS_PORT_AFTER, parseConfig } from '../../src/platform/config.ts';
import { allVariables, VARIABLES } from '../../src/platform/config-variables.ts';
import { LIMITS } from '../../src/vocabulary/limits.ts';

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const ROWS = INTEGRATIONS.map(({ row }) => row);
const KNOWN = allVariables(ROWS);
const DOCKERFILE = text('Dockerfile');
const UNIT = text('deploy/tributary.service');
const DOCS = text('docs/self-hosting.md');
const SHUTDOWN_SECONDS = Number(VARIABLES.SHUTDOWN_SECONDS.default);
const PORT = Number(VARIABLES.PORT.default);

const Environment = Type.Record(Type.String(), Type.String());
const Compose = Type.Object({
  services: Type.Record(
    Type.String(),
    Type.Object({
      environment: Type.Optional(Environment),
      stop_grace_period: Type.Optional(Type.String()),
      read_only: Type.Optional(Type.Boolean()),
      volumes: Type.Optional(Type.Array(Type.String())),
      command: Type.Optional(Type.String()),
    }),
  ),
  volumes: Type.Record(Type.String(), Type.Null()),
});
const Probe = Type.Object({ httpGet: Type.Object({ path: Type.String(), port: Type.String() }) });
const StartupProbe = Type.Object({
  ...Probe.properties,
  periodSeconds: Type.Number(),
  failureThreshold: Type.Number(),
});
const Deployment = Type.Object({
  kind: Type.Literal('Deployment'),
  metadata: Type.Object({ name: Type.String() }),
  spec: Type.Object({
    selector: Type.Object({ matchLabels: Environment }),
    progressDeadlineSeconds: Type.Number(),
    template: Type.Object({
      metadata: Type.Object({ labels: Environment }),
      spec: Type.Object({
        terminationGracePeriodSeconds: Type.Number(),
        securityContext: Type.Object({ runAsUser: Type.Number(), runAsNonRoot: Type.Literal(true) }),
        containers: Type.Array(
          Type.Object({
            env: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
            ports: Type.Array(Type.Object({ name: Type.String(), containerPort: Type.Number() })),
            startupProbe: StartupProbe,
            livenessProbe: Probe,
            readinessProbe: Type.Optional(Probe),
            securityContext: Type.Object({ readOnlyRootFilesystem: Type.Literal(true) }),
          }),
        ),
      }),
    }),
  }),
});
const List = Type.Object({
  kind: Type.Literal('List'),
  items: Type.Array(Type.Object({ kind: Type.String() })),
});
const ConfigMap = Type.Object({ data: Environment });
const Ingress = Type.Object({
  metadata: Type.Object({ annotations: Environment }),
  spec: Type.Object({ ingressClassName: Type.Literal('nginx') }),
});
/** Long enough for the migrations of a large database, which the kubelet would otherwise kill again and again. */
const LEAST_START_S = 3_600;

const compose = Value.Parse(Compose, parse(text('deploy/compose.yaml')));
const { items } = Value.Parse(List, parse(text('deploy/kubernetes.yaml'), { maxAliasCount: 100 }));
const deployments = items
  .filter(({ kind }) => kind === 'Deployment')
  .map((one) => Value.Parse(Deployment, one));
const uid = Number(/^USER (\d+)/m.exec(DOCKERFILE)?.[1]);

/** What the service reads of these variables; fails where it would refuse to start. */
function configured(env: Static<typeof Environment>) {
  for (const name of Object.keys(env)) assert.ok(KNOWN.has(name), `${name} is not a variable`);
  return parseConfig(env, ROWS);
}

function imageEnvironment(): Static<typeof Environment> {
  const [, line = ''] = /^ENV (.*)$/m.exec(DOCKERFILE) ?? [];
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=', 2)));
}

describe('the image', () => {
  test('is configured by variables that exist, listens where it says, and runs as a user of its own', () => {
    const { host, port, dataDir } = configured(imageEnvironment());
    assert.deepEqual([host, port, dataDir], ['0.0.0.0', PORT, '/data']);
    assert.match(DOCKERFILE, new RegExp(`^EXPOSE ${PORT}$`, 'm'));
    assert.match(DOCKERFILE, /^VOLUME \/data$/m);
    assert.ok(uid > 0);
  });

  test('starts Node as npm start does', () => {
    const [, options] = /"start": "exec node (\S+) /.exec(text('package.json')) ?? [];
    assert.ok(options !== undefined && DOCKERFILE.includes(`"${options}"`) && UNIT.includes(` ${options} `));
  });
});

describe('the checkout', () => {
  test('keeps secrets and databases, which the docs put beside it, out of commits and out of the image', () => {
    const [git, docker] = ['.gitignore', '.dockerignore'].map((file) => text(file).split('\n'));
    for (const pattern of ['.env', '*.env', '*.dump', '*.age', '*.key']) {
      assert.ok(git?.includes(pattern), `.gitignore has ${pattern}`);
      assert.ok(docker?.includes(`**/${pattern}`), `.dockerignore has **/${pattern}`);
    }
  });
});

describe('the Compose file', () => {
  test('gives the service a configuration with which it starts, and time to end its work', () => {
    const { tributary } = compose.services;
    const filled = Object.entries(tributary?.environment ?? {}).map(([name, value]) => [
      name,
      value
        .replaceAll(/\$\{DOMAIN:\?\}/g, 'bank.example')
        .replaceAll(/\$\{POSTGRES_PASSWORD:\?\}/g, 'secret'),
    ]);
    const config = configured({ ...imageEnvironment(), ...Object.fromEntries(filled) });
    assert.equal(config.publicUrl, 'https://bank.example');
    assert.equal(tributary?.read_only, true);
    assert.ok(Number.parseInt(tributary?.stop_grace_period ?? '', 10) > SHUTDOWN_SECONDS);
    assert.match(compose.services.caddy?.command ?? '', new RegExp(`tributary:${PORT}$`));
  });

  test('names every volume that it mounts', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const [files, named] = [true, false].map((isFile) =>
      mounted.filter((name) => name.startsWith('./') === isFile),
    );
    assert.deepEqual(named?.toSorted(), Object.keys(compose.volumes).toSorted());
    for (const file of files ?? []) assert.ok(text(`deploy/${file}`).length > 0, file);
  });
});

describe('the Kubernetes manifests', () => {
  test('run every role as the user of the image, with a configuration with which it starts', () => {
    const map = items.find(({ kind }) => kind === 'ConfigMap') ?? assert.fail();
    const shared = Value.Parse(ConfigMap, map).data;
    const roles = deployments.flatMap(({ spec: { selector, template } }) => {
      const { containers, securityContext, terminationGracePeriodSeconds } = template.spec;
      assert.deepEqual(template.metadata.labels, selector.matchLabels);
      assert.equal(securityContext.runAsUser, uid);
      assert.ok(terminationGracePeriodSeconds > SHUTDOWN_SECONDS);
      const [container] = containers;
      const own = Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? []);
      return configured({ ...imageEnvironment(), ...shared, ...own }).roles;
    });
    assert.deepEqual(roles.toSorted(), ['api', 'scheduler', 'worker']);
  });

  test('let only the ingress and Prometheus reach the pods, whose proxy is trusted, by ports that they have', () => {
    const Policy = Type.Object({
      spec: Type.Object({
        podSelector: Type.Object({ matchLabels: Environment }),
        ingress: Type.Array(
          Type.Object({
            from: Type.Array(Type.Object({ namespaceSelector: Type.Object({ matchLabels: Environment }) })),
            ports: Type.Array(Type.Object({ port: Type.String() })),
          }),
        ),
      }),
    });
    const found = items.filter(({ kind }) => kind === 'NetworkPolicy');
    const policies = found.map((one) => Value.Parse(Policy, one).spec);
    assert.equal(policies.length, 1);
    for (const { podSelector, ingress } of policies)
      for (const { spec } of deployments) {
        assert.equal(spec.template.metadata.labels.app, podSelector.matchLabels.app);
        const ports = new Set(
          spec.template.spec.containers.flatMap((one) => one.ports.map(({ name }) => name)),
        );
        for (const { from, ports: open } of ingress) {
          assert.ok(from.length > 0);
          for (const { port } of open) assert.ok(ports.has(port), port);
        }
      }
  });

  test('probe paths and ports that the service has', () => {
    for (const { spec } of deployments)
      for (const container of spec.template.spec.containers) {
        const { ports, startupProbe, livenessProbe, readinessProbe } = container;
        assert.deepEqual(
          ports.map(({ name, containerPort }) => [name, containerPort]),
          [
            ['http', PORT],
            ['metrics', PORT + METRICS_PORT_AFTER],
          ],
        );
        assert.deepEqual(
          [startupProbe, livenessProbe].map(({ httpGet }) => httpGet),
          [
            { path: '/healthz', port: 'http' },
            { path: '/healthz', port: 'http' },
          ],
        );
        if (readinessProbe !== undefined) assert.equal(readinessProbe.httpGet.path, '/readyz');
        const startS = startupProbe.periodSeconds * startupProbe.failureThreshold;
        assert.ok(startS >= LEAST_START_S);
        assert.ok(spec.progressDeadlineSeconds > startS);
      }
  });

  test('let requests through the ingress that are as large, and answers that take as long, as the service allows', () => {
    const found = items.find(({ kind }) => kind === 'Ingress') ?? assert.fail();
    const { annotations } = Value.Parse(Ingress, found).metadata;
    const option = (name: string) =>
      Number.parseInt(annotations[`nginx.ingress.kubernetes.io/${name}`] ?? '', 10);
    // In Base64, with what else is in the body.
    const files = OPERATIONS.flatMap(({ file }) => (file === null ? [] : [LIMITS[file].default]));
    const largest = Math.ceil(Math.max(...files) / 3) * 4 + LIMITS.body_bytes.default;
    assert.ok(option('proxy-body-size') * 1024 * 1024 >= largest);
    // Exports send rows all the time.
    const silent = OPERATIONS.flatMap(({ longest }) =>
      longest === null || longest === 'export_seconds' ? [] : [LIMITS[longest].default],
    );
    assert.ok(option('proxy-read-timeout') > Math.max(...silent));
  });
});

describe('the systemd unit', () => {
  test('is the one in docs/self-hosting.md, and gives the service time to end its work', () => {
    assert.ok(DOCS.includes(`\`\`\`ini\n${UNIT}\`\`\``), 'put the unit into the page');
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(UNIT)?.[1]) > SHUTDOWN_SECONDS);
  });

  test('has a configuration that is valid as the package brings it', () => {
    const lines = text('deploy/debian/tributary.env').matchAll(/^#?([A-Z_]+)=(.*)$/gm);
    configured(Object.fromEntries([...lines].map(([, name, value]) => [name, value])));
  });
});
