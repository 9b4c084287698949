import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyRequest, type RouteHandler } from 'fastify'

// Everything that the page needs comes from this server, and the policy allows no more. The user
// interface sets styles on elements and draws its icons from data URLs.
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

const theme = {
  title: 'Heirloom API',
  css: [{ filename: 'heirloom.css', content: '.swagger-ui .topbar { display: none }' }],
}

/** The headers that belong to the connection of the inner reply. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'date']

/**
 * Serves the API reference at `/docs`. Its viewer takes a tenth of the start-up time to load, so the
 * first request loads it.
 */
export function docsRoutes(app: FastifyInstance): void {
  let opening: Promise<FastifyInstance> | undefined
  const share = sharedBytes()
  const handler: RouteHandler = async (request, reply) => {
    opening ??= openViewer(app)
    const { statusCode, headers, rawPayload } = await (await opening).inject(innerRequest(request))
    if (statusCode === 404) return reply.callNotFound()
    for (const name of connectionHeaders) delete headers[name]
    return reply.code(statusCode).headers(headers).send(share(rawPayload))
  }
  for (const path of ['/docs', '/docs/*']) app.get(path, { schema: { hide: true } }, handler)
}

/**
 * Returns a function that returns the same bytes for equal bytes: a copy for each response would let
 * readers who read nothing fill the memory. The viewer has a few files, each of its own length.
 */
function sharedBytes() {
  const byLength = new Map<number, Buffer>()
  return (bytes: Buffer): Buffer => {
    const known = byLength.get(bytes.length)
    if (known?.equals(bytes)) return known
    byLength.set(bytes.length, bytes)
    return bytes
  }
}

// A range is optional to serve (RFC 9110, 14.2), and any number of them would be stored here.
const innerRequest = ({ method, url, headers: { range: _, ...headers } }: FastifyRequest) => {
  return { method: method as 'GET' | 'HEAD', url, headers }
}

async function openViewer(app: FastifyInstance): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const pages = fastify()
  const specification = { document: app.swagger() as never }
  await pages.register(swagger, { mode: 'static', specification })
  await pages.register(swaggerUi, { routePrefix: '/docs', staticCSP: pagePolicy, theme })
  await pages.ready()
  return pages
}
