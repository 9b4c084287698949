import { expect, test } from 'vitest'
import { refusal } from './to-response-problem.ts'

test('a refusal of the chain says in its own words how long to wait', () => {
  const message = 'This client has used its share of the time of the chain; try again in 4 s.'
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message } })
  const told = refusal({ status: 429, body, retryAfter: '4' })
  const code = 'request/too-many'
  expect(told).toMatchObject({ message, code, isPassing: true, wait: 4 })
})

test('a server that is busy is asked again when it says', () => {
  const detail = 'Too many others are reading the catalogue; try again in 2 seconds.'
  const body = JSON.stringify({ detail, code: 'catalogue/busy', retryable: true })
  const told = refusal({ status: 503, body, retryAfter: '2' })
  expect(told).toMatchObject({ message: detail, isPassing: true, wait: 2 })
  expect(told.remedy).toBe('Wait a moment and try again.')
})

test.each([
  [429, 'The server was asked too often from here.', /answers again a little later/],
  [503, 'The server is busy or just starting.', /Wait a moment/],
])('a %i of what stands before the server passes', (status, message, remedy) => {
  const told = refusal({ status, body: '<h1>Busy</h1>', retryAfter: 'Sun, 22 Nov 2026 12:00 GMT' })
  expect(told).toMatchObject({ message, isPassing: true, wait: undefined })
  expect(told.remedy).toMatch(remedy)
})

test('what is refused for good is not asked again', () => {
  const body = JSON.stringify({ detail: 'No.', code: 'token/not-found', retryable: false })
  expect(refusal({ status: 404, body })).toMatchObject({ message: 'No.', isPassing: false })
  expect(refusal({ status: 400, body: '' }).isPassing).toBe(false)
})
