import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../packages/http/src/config/config.ts'
import { deployFolder, interpolate, readDeployed, readYaml } from '../harness/hosting/files.ts'
import { knownVariables } from '../harness/hosting/known-variables.ts'

type Service = {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly configs?: readonly { readonly source: string }[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>
}
type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly configs?: Readonly<Record<string, { readonly file?: string; readonly content?: string }>>
}

const composeOf = (name: string): Compose => {
  const [compose] = readYaml<Compose>(name)
  if (compose === undefined) throw new Error(`${name} is empty.`)
  return compose
}

/** The settings that a person fills in, as `three.env.example` lists them. */
const filledIn = {
  POSTGRES_PASSWORD: 'a',
  S3_ACCESS_KEY: 'b',
  S3_SECRET_KEY: 'c',
  MASTER_KEYS: '7'.repeat(64),
  AGENT_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
  API_KEYS: 'a-key-of-the-operator',
  REGISTRY_ADDRESS: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  MARKETPLACE_ADDRESS: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
}

/** The variables that the image sets. */
const imageVariables = Object.fromEntries(
  [...readDeployed('Dockerfile').matchAll(/^(?:ENV)?\s+([A-Z_]+)=(\S+)/gm)].map(
    ([, name = '', value = '']) => [name, value],
  ),
)

const servers = (compose: Compose) =>
  Object.entries(compose.services).filter(([, { image }]) => image === 'heirloom')

/** Returns the settings of a server in its container. */
function environmentOf({ environment = {} }: Service): Record<string, string> {
  const filled = Object.entries(environment).map(([name, text]) => [
    name,
    interpolate(text, filledIn),
  ])
  return { ...imageVariables, ...Object.fromEntries(filled) }
}

/** A registry, a name and a version. */
const pinned = /^[a-z.]+\/[a-z/-]+:v?\d[\w.-]*$/

/** Returns what a service names elsewhere in the file, with the section that has it. */
function namesIn({ volumes = [], configs = [], depends_on: needed = {} }: Service) {
  const services = Array.isArray(needed) ? needed : Object.keys(needed)
  return [
    ...volumes.map((volume) => ['volumes', volume.split(':')[0] ?? '']),
    ...configs.map(({ source }) => ['configs', source]),
    ...services.map((name) => ['services', name]),
  ]
}

describe.each([
  ['compose.yaml', 1],
  ['compose.three.yaml', 3],
])('deploy/%s', (name, count) => {
  const compose = composeOf(name)

  test('gives each server settings that it accepts', () => {
    expect(servers(compose)).toHaveLength(count)
    const known = knownVariables
    for (const [, service] of servers(compose)) {
      const environment = environmentOf(service)
      expect(Object.keys(environment).filter((it) => !known.has(it))).toEqual([])
      const config = readConfig(environment)
      expect(config).toMatchObject({ host: '0.0.0.0', port: 3000 })
    }
  })

  test('lets a server write to its own volume and nowhere else', () => {
    const volumes = servers(compose).flatMap(([, service]) => service.volumes)
    expect(new Set(volumes).size).toBe(count)
    for (const [, service] of servers(compose)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        volumes: [expect.stringMatching(/^[a-z0-9-]+:\/data$/)],
      })
      expect(environmentOf(service).DATA_DIR).toMatch(/^\/data\//)
    }
  })

  test('opens no port to other machines', () => {
    const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports)
    expect(ports).toEqual(['127.0.0.1:3000:3000'])
  })

  test('names only volumes, files and services that exist, and pins every image', () => {
    const all = Object.values(compose.services)
    for (const name of all.flatMap(namesIn)) expect(compose).toHaveProperty(name)
    const foreign = all.filter(({ build }) => build === undefined)
    for (const { image } of foreign) expect(image).toMatch(pinned)
    expect(all.length - foreign.length).toBe(count)
    const files = [
      ...Object.values(compose.configs ?? {}).flatMap(({ file }) => file ?? []),
      ...servers(compose).map(([, { build }]) =>
        join(build?.context ?? '', build?.dockerfile ?? ''),
      ),
    ]
    for (const file of files)
      expect([file, existsSync(join(deployFolder, file))]).toEqual([file, true])
  })

  test('contains no secret', () => {
    const secrets =
      /^ +\w*(PASSWORD|SECRET|PRIVATE_KEY|MASTER_KEYS|API_KEYS|ACCESS_KEY)\w*: *(?!\$\{|"")\S/m
    expect(readDeployed(name)).not.toMatch(secrets)
  })
})

test('every build of the guide names its commit', () => {
  const builds = readDeployed('README.md')
    .split('```')
    .filter((text) => /^docker (compose .*)?build/m.test(text))
  expect(builds).toHaveLength(3)
  for (const build of builds) expect(build).toMatch(/BUILD_COMMIT="\$\(git rev-parse HEAD\)"/)
  for (const [, { build }] of servers(composeOf('compose.yaml')))
    expect(build).toMatchObject({ args: { BUILD_COMMIT: expect.stringContaining('BUILD_COMMIT') } })
})

test('the S3 store has the keys that the servers use', () => {
  const compose = composeOf('compose.three.yaml')
  const { identities } = JSON.parse(interpolate(compose.configs?.s3?.content ?? '', filledIn))
  const [[, server] = []] = servers(compose)
  const { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey } =
    server === undefined ? {} : environmentOf(server)
  expect(identities).toMatchObject([{ credentials: [{ accessKey, secretKey }] }])
})

test('a setting that must be filled in and is not stops Compose, and the example lists each', () => {
  const text = readDeployed('compose.three.yaml')
  const required = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name))
  const listed = [...readDeployed('three.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(
    ([, name = '']) => name,
  )
  expect([...required].filter((name) => !listed.includes(name))).toEqual([])
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))
  expect(listed.filter((name) => !used.has(name))).toEqual([])
  for (const name of required) {
    expect(() => interpolate(text, { ...filledIn, [name]: '' })).toThrow(name)
  }
})

test('the proxy asks a route of the server, and has each server twice: ready, and at all', () => {
  const text = readDeployed('haproxy.cfg')
  expect(text).toContain('option httpchk GET /readyz')
  const named = [...text.matchAll(/^\s+server \S+ (\S+):3000/gm)].map(([, name]) => name)
  const three = servers(composeOf('compose.three.yaml')).map(([name]) => name)
  expect(named).toEqual([...three, ...three])
})
