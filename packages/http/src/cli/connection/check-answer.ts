import type { Static, TSchema } from '@sinclair/typebox'
import { badResponse } from '../../client/transport/decode-response.ts'

/**
 * Returns a response as its schema describes it: what prints it may then rely on its members.
 *
 * @throws `client/bad-answer` with the first place that is wrong
 */
export async function checkAnswer<T extends TSchema>(
  path: string,
  schema: T,
  response: unknown,
): Promise<Static<T>> {
  // Imported lazily: most commands check nothing.
  const { Value } = await import('@sinclair/typebox/value')
  const wrong = Value.Errors(schema, response).First()
  if (wrong === undefined) return response
  const place = wrong.path === '' ? path : `${wrong.path} of ${path}`
  throw badResponse(`${place} is ${shown(wrong.value)}: ${wrong.message}`)
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? 'missing'
