import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { Operation } from '../../api/operations/operation.ts'
import { type AnswerOf, operations, type RequestOf } from '../../api/operations/operations.ts'
import { type OperationName, routeOf } from '../../api/operations/paths.ts'
import { problemResponses } from '../../api/problem.ts'

/** Handles the requests for an operation: returns the body of the answer, or the reply that it sent. */
export type Handler<name extends OperationName> = (
  request: FastifyRequest & RequestOf<name>,
  reply: FastifyReply,
) => Promise<AnswerOf<name> | FastifyReply>

/** The handlers of all operations of a room, by their names. */
export type Handlers<name extends OperationName> = { readonly [it in name]: Handler<it> }

/** The options of a route that are not those of its operation. */
export type ServeOptions = Pick<RouteShorthandOptions, 'bodyLimit' | 'config' | 'exposeHeadRoute'>

/** Registers the route of an operation as the table describes it. */
export function serveOperation<name extends OperationName>(
  app: FastifyInstance,
  name: name,
  handler: Handler<name>,
  options: ServeOptions = {},
): void {
  const { method, path: url } = routeOf(name)
  const [status = 200] = Object.keys(operations[name].answers).map(Number)
  // The validator of the route has checked the parts of the request.
  const handle = handler as RouteHandlerMethod
  const route = {
    method,
    url,
    schema: schemaOf(name),
    ...options,
    handler: status === 200 ? handle : withStatus(status, handle),
  }
  // Plugins are loaded in the order of their registration, and the document has the routes in it.
  app.register(async (own) => {
    own.route(route)
  })
}

const withStatus = (status: number, handle: RouteHandlerMethod): RouteHandlerMethod =>
  async function withStatus(request, reply) {
    const answer = await handle.call(this, request, reply)
    return answer === reply ? reply : reply.code(status).send(answer)
  }

/** Registers the routes of several operations, some with options of their own. */
export function serveOperations<name extends OperationName>(
  app: FastifyInstance,
  handlers: Handlers<name>,
  options: { readonly [it in name]?: ServeOptions } = {},
): void {
  for (const it of Object.keys(handlers) as name[]) {
    serveOperation(app, it, handlers[it], options[it])
  }
}

/** Returns the schema of a route, which Fastify validates and describes. */
function schemaOf(name: OperationName): object {
  const { tag, query, answers, failures, params, headers, body, ...row }: Operation =
    operations[name]
  const { summary, description, security } = row
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...(security && { security }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(headers && { headers }),
    ...(body && { body }),
    response: { ...answers, ...problemResponses(failures) },
  }
}
