import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/process/version.ts';
import { parseAllDocuments } from 'yaml';

// Checks deploy/kubernetes.yaml against the API of Kubernetes 1.30 by types (kubernetes-types, generated from its
// OpenAPI description): unknown members, wrong types and missing members are compiler errors.

const root = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(root, 'deploy/kubernetes.yaml'), 'utf8');

interface Labelled {
  metadata: { name: string; labels?: Record<string, string> };
}
interface Container {
  name: string;
  ports: { name: string; containerPort: number }[];
  volumeMounts?: { name: string }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  [probe: `${string}Probe`]: { httpGet?: { port: string } } | undefined;
}
interface Manifest extends Labelled {
  apiVersion: string;
  kind: string;
  spec: {
    selector: Record<string, string> & { matchLabels?: Record<string, string> };
    template?: Labelled & { spec: { containers: Container[]; volumes?: { name: string }[] } };
    ports?: { targetPort: string }[];
    ingress?: { from: unknown[]; ports: { port: string }[] }[];
  };
}

const read = (yaml: string) => parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);

/** The compiler's errors on the manifests. */
function faultsOf(manifests: readonly Manifest[]): string[] {
  const file = path.join(root, 'test/documents/manifests.ts');
  const source = manifests
    .map((manifest, i) => {
      const group = manifest.apiVersion === 'v1' ? 'core/v1' : manifest.apiVersion.replace('.k8s.io', '');
      const { kind } = manifest;
      return `export const of${i}: import('kubernetes-types/${group}').${kind} & { apiVersion: string; kind: string; metadata: { name: string } } = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    lib: ['lib.es2022.d.ts'],
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === file || disk.fileExists(name),
    getSourceFile: (name, language) =>
      name === file ? ts.createSourceFile(name, source, language) : disk.getSourceFile(name, language),
  };
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the Kubernetes manifests', () => {
  it('match the schema of the Kubernetes API', () => {
    expect(faultsOf(read(text))).toEqual([]);
  });

  it('fail the check with unknown members, wrong types, missing members or members of another kind', () => {
    const faults = [
      ['livenessProbe:', 'livelinessProbe:', 'livelinessProbe'],
      ['replicas: 2', 'replicas: two', "'string' is not assignable to type 'number'"],
      [
        '  selector:\n    matchLabels: { app.kubernetes.io/name: mokuroku }\n  strategy:',
        '  strategy:',
        "Property 'selector' is missing",
      ],
      ['apiVersion: policy/v1', 'apiVersion: apps/v1', 'PodDisruptionBudget'],
    ] as const;
    for (const [right] of faults) expect(text).toContain(right);
    const said = faultsOf(faults.flatMap(([right, wrong]) => read(text.replace(right, wrong)))).join('\n');
    for (const [, , fault] of faults) expect(said).toContain(fault);
  });

  const manifests = read(text);
  const named = (kind: string) =>
    manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
  const deployments = manifests.flatMap(({ spec, kind }) =>
    kind === 'Deployment' && spec.template ? [{ ...spec.template, selector: spec.selector.matchLabels }] : [],
  );

  it.each(deployments)('refer to existing objects: $metadata.labels', ({ metadata, selector, spec }) => {
    expect(metadata.labels).toEqual(selector);
    for (const container of spec.containers) {
      const ports = container.ports.map(({ name }) => name);
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
      const probed = probes.flatMap((name) => container[name]?.httpGet?.port ?? []);
      expect(ports).toEqual(expect.arrayContaining(probed));
      const volumes = spec.volumes?.map(({ name }) => name) ?? [];
      expect(container.volumeMounts?.map(({ name }) => name) ?? []).toEqual(volumes);
      const maps = container.envFrom?.flatMap(({ configMapRef }) => configMapRef?.name ?? []) ?? [];
      expect(named('ConfigMap')).toEqual(expect.arrayContaining(maps));
    }
  });

  it('open only existing ports and Services, and do not trust the whole cluster', () => {
    const ports = deployments.flatMap(({ spec }) =>
      spec.containers.flatMap((each) => each.ports.map(({ name }) => name)),
    );
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies.map(({ metadata }) => metadata.name)).toEqual(named('Deployment'));
    for (const { spec } of policies) {
      const opened = spec.ingress?.flatMap((rule) => rule.ports.map(({ port }) => port)) ?? [];
      expect(ports).toEqual(expect.arrayContaining(opened));
      expect(spec.ingress?.every(({ from }) => from.length > 0)).toBe(true);
    }
    const backends = [...text.matchAll(/service: \{ name: (\w+), port: \{ name: (\w+) \} \}/g)];
    expect(backends.map(([, , port]) => port)).toEqual(['catalogue', 'registration']);
    expect(named('Service')).toEqual(expect.arrayContaining(backends.map(([, name]) => name)));
    const bits = /TRUSTED_PROXIES: \S+\/(\d+)/.exec(text)?.[1];
    expect(Number(bits)).toBeGreaterThanOrEqual(24);
  });

  it('name images by version or digest, and a store that asks for its password', () => {
    const images = [...text.matchAll(/ image: (\S+)/g)].map(([, image]) => image);
    expect(images).toEqual([
      `mokuroku:${VERSION}`,
      expect.stringMatching(/^valkey\/valkey:[\d.]+-alpine@sha256:[0-9a-f]{64}$/),
    ]);
    expect(text).toContain('--requirepass, $(VALKEY_PASSWORD)');
    expect(text).toContain('redis://:$(VALKEY_PASSWORD)@mokuroku-valkey:6379');
  });

  it('connect each Service and disruption budget to pods, by ports that these open', () => {
    for (const { kind, spec } of manifests) {
      if (kind !== 'Service' && kind !== 'PodDisruptionBudget') continue;
      const wanted = spec.selector.matchLabels ?? spec.selector;
      const [pods = expect.fail(`nothing for ${JSON.stringify(wanted)}`)] = deployments.filter(
        ({ metadata }) =>
          Object.entries(wanted).every(([label, value]) => metadata.labels?.[label] === value),
      );
      const ports = pods.spec.containers.flatMap((container) => container.ports.map(({ name }) => name));
      expect(ports).toEqual(expect.arrayContaining(spec.ports?.map(({ targetPort }) => targetPort) ?? []));
    }
  });
});
