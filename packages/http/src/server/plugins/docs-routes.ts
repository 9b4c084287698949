import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyRequest, type RouteHandler } from 'fastify'

// Everything that the page needs comes from this server, and the browser is told so. The user
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

/** What a reply says of its connection, which is not that on which it is sent on. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date']

/**
 * Shows the document of a server at `/docs`. What shows it takes a tenth of a start to load, and is
 * loaded when it is first asked for.
 */
export function docsRoutes(app: FastifyInstance): void {
  let opening: Promise<FastifyInstance> | undefined
  const show: RouteHandler = async (request, reply) => {
    opening ??= opened(app)
    const { statusCode, headers, rawPayload } = await (await opening).inject(sameAs(request))
    if (statusCode === 404) return reply.callNotFound()
    for (const name of ofConnection) delete headers[name]
    return reply.code(statusCode).headers(headers).send(rawPayload)
  }
  for (const path of ['/docs', '/docs/*']) app.get(path, { schema: { hide: true } }, show)
}

const sameAs = ({ method, url, headers }: FastifyRequest) => {
  return { method: method as 'GET' | 'HEAD', url, headers }
}

async function opened(app: FastifyInstance): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const pages = fastify()
  const specification = { document: app.swagger() as never }
  await pages.register(swagger, { mode: 'static', specification })
  await pages.register(swaggerUi, { routePrefix: '/docs', staticCSP: pagePolicy, theme })
  await pages.ready()
  return pages
}
