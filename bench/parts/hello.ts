import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { answer } from './child.ts'

// The yardstick of whatever reads: what Fastify does when there is nothing to do.
const app = fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ host: '127.0.0.1', port: 0 })

answer(async () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
