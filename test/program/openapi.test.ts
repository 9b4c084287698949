import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { beforeAll, expect, test } from 'vitest'
import { sharedServer } from '../harness/process/shared-server.ts'

type Json = Readonly<Record<string, unknown>>
type Content = { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }
type Operation = {
  readonly operationId: string
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

const server = sharedServer({ API_KEYS: 'the-key-of-this-test', OPEN_ACTS: 'seal,relay' })
let source: string
let document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Json }
}
let operations: readonly Operation[]
beforeAll(async () => {
  source = await (await fetch(`${server.url}/openapi.json`)).text()
  document = JSON.parse(source)
  operations = Object.values(document.paths).flatMap((path) => Object.values(path))
})

test('Redocly finds no error and no warning', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({
    source,
    config,
    absoluteRef: `${server.url}/openapi.json`,
  })
  const found = problems.map((it) => `${it.ruleId} ${it.location[0]?.pointer}: ${it.message}`)
  expect(found).toEqual([])
})

test('Spectral finds no error and no warning', async () => {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: rulesets.oas as RulesetDefinition })
  const problems = await linter.run(source)
  expect(problems.map((it) => `${it.code} ${it.path.join('/')}: ${it.message}`)).toEqual([])
})

test('every operation has a name of its own', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !/^[a-z]\w+$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('every JSON body and answer has an example', () => {
  const contents = operations.flatMap(({ operationId, requestBody = {}, responses }) =>
    [requestBody, ...Object.entries(responses).flatMap(([at, it]) => (at < '300' ? [it] : []))].map(
      ({ content = {} }) => [operationId, content['application/json']] as const,
    ),
  )
  const bare = contents.filter(([, json]) => json !== undefined && !('example' in json))
  expect(bare.map(([name]) => name)).toEqual([])
})

/** Returns every object schema with members, as JSON, with its place. */
function* objectSchemas(node: unknown, place: string): Generator<readonly [string, string]> {
  if (typeof node !== 'object' || node === null) return
  if ('properties' in node && Object.keys(node.properties ?? {}).length > 0)
    yield [JSON.stringify(node), place]
  for (const [name, child] of Object.entries(node))
    if (!/^examples?$/.test(name)) yield* objectSchemas(child, `${place}/${name}`)
}

test('no object schema is there twice, and no body or answer is in line', () => {
  const places = Map.groupBy(
    [...objectSchemas(document.components, 'components'), ...objectSchemas(document.paths, '')],
    ([schema]) => schema,
  )
  const copies = [...places.values()].filter(({ length }) => length > 1)
  expect(copies.map((all) => all.map(([, place]) => place))).toEqual([])
  const inLine = [...objectSchemas(document.paths, '')].map(([, place]) => place)
  expect(inLine.filter((place) => /json\/schema$/.test(place))).toEqual([])
})
