import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { serveRequests } from './child.ts'

// The yardstick of reads: a bare Fastify server.
const app = fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ host: '127.0.0.1', port: 0 })

serveRequests(async () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
