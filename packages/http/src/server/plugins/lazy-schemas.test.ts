import ajvCompiler from '@fastify/ajv-compiler'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { openWebhooks } from '../../../test/open-webhooks.ts'
import { openHarness } from '../../../test/server-harness.ts'

const { webhooks } = await openWebhooks()

test('every schema of a request is valid, which no server checks at run time', async () => {
  const { server } = openHarness({ rpc: async () => ({ answer: undefined }), webhooks })
  const routes: RouteOptions[] = []
  server.addHook('onRoute', (route) => {
    routes.push(route)
  })
  await server.ready()
  const shared = server.getSchemas() as Record<string, object>
  const compile = ajvCompiler()(shared, { customOptions: {} })
  const compiled = (schema: unknown) => compile({ schema } as Parameters<typeof compile>[0])
  const schemas = routes.flatMap(({ schema = {} }) =>
    [schema.body, schema.querystring, schema.params, schema.headers].filter(Boolean),
  )
  expect(schemas.length).toBeGreaterThan(30)
  for (const schema of schemas) expect(compiled(schema)).toBeTypeOf('function')
  expect(() => compiled({ type: 'text' })).toThrow('schema is invalid')
})
