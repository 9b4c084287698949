import { expect } from 'vitest'
import type { post, ServerHarness } from './server-harness.ts'

/** The expected status and code of a refusal. */
export type Expected = { readonly status: number; readonly code: string }

export const malformed: Expected = { status: 400, code: 'request/malformed' }
export const invalid: Expected = { status: 400, code: 'value/invalid' }

/** Sends a request, and expects that it is refused and changes nothing. */
export async function expectRefusal(
  { state }: ServerHarness,
  send: () => ReturnType<typeof post>,
  { status, code }: Expected,
): Promise<Record<string, unknown>> {
  const before = await state()
  const reply = await send()
  expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  expect(reply.headers['content-type']).toBe('application/problem+json')
  expect(await state()).toEqual(before)
  return reply.json()
}
