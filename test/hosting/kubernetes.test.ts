import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StatefulSet } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { routePermissions } from '../../packages/http/src/server/api-keys/authorize.ts'
import { deployFolder, readYaml } from '../harness/hosting/files.ts'
import { knownVariables } from '../harness/hosting/known-variables.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests of any kind; the models validate them.
type Manifest = { readonly kind: string; readonly [member: string]: any }

const models: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  StatefulSet,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  Service,
  ServiceAccount,
}

const folder = join(deployFolder, 'kubernetes')
const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
const manifests = files.flatMap((name) => readYaml<Manifest>(`kubernetes/${name}`))
const [kustomization] = readYaml<Manifest>('kubernetes/kustomization.yaml')

const only = (kind: string): Manifest => {
  const [found, ...others] = manifests.filter((it) => it.kind === kind)
  if (found === undefined || others.length > 0) throw new Error(`There is not one ${kind}.`)
  return found
}
const pod = only('StatefulSet').spec.template.spec
const [container] = pod.containers

/** Returns a variable with its value, or with that of its secret. */
const filledIn = ({ name, value, valueFrom }: Manifest) => [
  name,
  value ?? secretValues[valueFrom.secretKeyRef.name],
]

describe('the manifests for Kubernetes', () => {
  test('are listed in the kustomization, and valid', () => {
    expect(kustomization?.resources.toSorted()).toEqual(files.toSorted())
    for (const manifest of manifests) {
      const Model = models[manifest.kind]
      if (Model === undefined) throw new Error(`${manifest.kind} has no model.`)
      new Model(manifest as never).validate()
    }
  })

  test('run a process without any right, which writes to its volume alone', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      serviceAccountName: 'heirloom',
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const writable = container.volumeMounts.filter((it: Manifest) => it.readOnly !== true)
    expect(writable).toEqual([{ name: 'data', mountPath: '/data' }])
  })

  test('give the server settings that exist and that it accepts, and secrets by reference', () => {
    const { data } = only('ConfigMap')
    const known = knownVariables
    const names = [...Object.keys(data), ...container.env.map((it: Manifest) => it.name)]
    expect(names.filter((name) => !known.has(name))).toEqual([])
    expect(names.length).toBe(new Set(names).size)
    const filled = Object.fromEntries(container.env.map(filledIn))
    const config = readConfig({ HOST: '0.0.0.0', DATA_DIR: '/data/heirloom', ...data, ...filled })
    expect(config.chain.kind).toBe('remote')
    const secret = /KEY|SECRET|PASSWORD|DATABASE_URL/
    const given = container.env.filter(
      ({ name, value }: Manifest) => secret.test(name) && value !== undefined,
    )
    expect(given.map(({ name }: Manifest) => name)).toEqual(['API_KEYS_FILE', 'MASTER_KEY_FILE'])
    expect(Object.keys(data).filter((name) => secret.test(name))).toEqual([])
  })

  test('probe routes that exist and need no key, on the port of the server', () => {
    const ports = Object.fromEntries(
      container.ports.map(({ name, containerPort }: Manifest) => [name, containerPort]),
    )
    expect(ports).toEqual({ http: readConfig({}).port })
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { path, port } = container[probe].httpGet
      expect(ports).toHaveProperty([port])
      expect([path, routePermissions[`GET ${path}` as keyof typeof routePermissions]]).toEqual([
        path,
        'anyone',
      ])
    }
    // A node that is down must not make Kubernetes restart the servers.
    expect(container.livenessProbe.httpGet.path).toBe('/livez')
    const services = manifests.filter(({ kind }) => kind === 'Service')
    for (const { spec } of services) {
      for (const { targetPort } of spec.ports) expect(ports).toHaveProperty([targetPort])
    }
    expect(services.map(({ metadata }) => metadata.name)).toContain(
      only('StatefulSet').spec.serviceName,
    )
  })

  test('select the pods that they make', () => {
    const { labels } = only('StatefulSet').spec.template.metadata
    const selectors = [
      only('StatefulSet').spec.selector.matchLabels,
      only('PodDisruptionBudget').spec.selector.matchLabels,
      only('NetworkPolicy').spec.podSelector.matchLabels,
      ...manifests.filter(({ kind }) => kind === 'Service').map(({ spec }) => spec.selector),
    ]
    for (const selector of selectors) expect(labels).toMatchObject(selector)
  })

  test('keep servers while machines are drained, and give each time to end its requests', () => {
    expect(only('PodDisruptionBudget').spec.maxUnavailable).toBeLessThan(
      only('StatefulSet').spec.replicas,
    )
    const { sleep } = container.lifecycle.preStop
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(sleep.seconds + 30)
  })
})

/** Values of the secrets, by their names. */
const secretValues: Readonly<Record<string, string>> = {
  'heirloom-wallet': `0x${'1'.repeat(64)}`,
  'heirloom-database': 'postgres://heirloom:secret@postgres:5432/heirloom',
  'heirloom-bucket': 'secret',
}
