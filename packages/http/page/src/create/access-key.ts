import { signal } from '@preact/signals'
import type { Wallet } from '../../../src/client/responses.ts'
import { addressOf, fetchOk } from '../api/get-json.ts'
import { Problem } from '../api/problem.ts'

const storageKey = 'heirloom.access-key'

/** The access key of the visitor for this server; it is stored as long as the tab is open. */
export const accessKey = signal(sessionStorage.getItem(storageKey) ?? '')

/** Whether the server has refused a request without a key; an older one does not say so before. */
export const isKeyRequired = signal(false)

/** Returns the headers of a request with the access key of the visitor; none without a key. */
export const keyHeaders = (): Record<string, string> =>
  accessKey.value === '' ? {} : { authorization: `Bearer ${accessKey.value}` }

/** Stores an access key, or none. */
export function setAccessKey(text: string): void {
  accessKey.value = text
  if (text === '') sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, text)
}

/**
 * Checks an access key with the server before anything is uploaded, and stores it.
 *
 * @throws {Problem} when it is wrong, or allows no writes
 */
export async function checkAccessKey(typed: string): Promise<void> {
  const text = typed.trim()
  // Only these characters can be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(text)) throw wrongKey()
  const headers = { authorization: `Bearer ${text}` }
  const request = fetchOk(addressOf('wallet', {}), { headers, cache: 'no-store' })
  const response = await request.catch((error: unknown) => {
    throw isKeyRefused(error) ? wrongKey(error) : error
  })
  const { apiKey } = (await response.json()) as Wallet
  if (apiKey?.scope === 'read') {
    throw new Problem(
      'This access key allows reading only.',
      'Ask the operator for a key that allows writing.',
      { code: 'api-key/out-of-scope' },
    )
  }
  setAccessKey(text)
}

/** Returns the problem of a key that the server does not know. */
export const wrongKey = (cause?: unknown): Problem =>
  new Problem(
    'This access key is wrong: the server does not know it.',
    'Check that no character is missing, or ask the operator for another one.',
    { code: 'access-key/wrong', cause },
  )

const isKeyRefused = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'request/not-authorized'

/** Returns the problem of an upload; a key that the server refused is forgotten and asked for again. */
export function explainRefusedKey(error: unknown): unknown {
  if (!isKeyRefused(error)) return error
  isKeyRequired.value = true
  if (accessKey.value === '') return error
  setAccessKey('')
  return wrongKey(error)
}
