import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { anyRequest, problemResponses } from '../../api/problem-responses.ts'
import type { Metrics } from '../../observability/metrics.ts'

const schema = {
  operationId: 'metrics',
  tags: ['server'],
  summary: 'Read the metrics of the server, in the format of Prometheus',
  description:
    "Requires an API key if the server has any, because it shows the agent's balance and the traffic. Answers also while the chain is down.",
  security: [{}, { apiKey: [] }],
  response: {
    200: {
      description: 'Every metric, in the text format 0.0.4.',
      content: {
        'text/plain': {
          schema: Type.String({ examples: ['heirloom_jobs_total{end="settled"} 7'] }),
        },
      },
    },
    ...problemResponses([...anyRequest, 'api-key/out-of-scope', 'request/not-authorized']),
  },
}

/** `GET /metrics` */
export const metricsRoute =
  ({ text, contentType }: Pick<Metrics, 'text' | 'contentType'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/metrics', { schema, config: { isUntraced: true } }, async (_, reply) =>
      reply.type(contentType).send((await text()) as never),
    )
  }
