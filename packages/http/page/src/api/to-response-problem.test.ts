import { expect, test } from 'vitest'
import { toResponseProblem } from './to-response-problem.ts'

test('uses the message and the wait of the chain', () => {
  const message = 'This client has used its share of the time of the chain; try again in 4 s.'
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message } })
  const problem = toResponseProblem({ status: 429, body, retryAfter: '4' })
  const code = 'request/too-many'
  expect(problem).toMatchObject({ message, code, isRetryable: true, wait: 4 })
})

test('waits as long as a busy server says', () => {
  const detail = 'Too many others are reading the catalogue; try again in 2 seconds.'
  const body = JSON.stringify({ detail, code: 'catalogue/busy', retryable: true })
  const problem = toResponseProblem({ status: 503, body, retryAfter: '2' })
  expect(problem).toMatchObject({ message: detail, isRetryable: true, wait: 2 })
  expect(problem.remedy).toBe('Wait a moment and try again.')
})

test.each([
  [429, 'Too many requests from this address.', /Wait a moment/],
  [503, 'The server is busy or starting.', /Wait a moment/],
])('treats a %i of a proxy as retryable', (status, message, remedy) => {
  const problem = toResponseProblem({
    status,
    body: '<h1>Busy</h1>',
    retryAfter: 'Sun, 22 Nov 2026 12:00 GMT',
  })
  expect(problem).toMatchObject({ message, isRetryable: true, wait: undefined })
  expect(problem.remedy).toMatch(remedy)
})

test('does not retry a final refusal', () => {
  const body = JSON.stringify({ detail: 'No.', code: 'token/not-found', retryable: false })
  expect(toResponseProblem({ status: 404, body })).toMatchObject({
    message: 'No.',
    isRetryable: false,
  })
  expect(toResponseProblem({ status: 400, body: '' }).isRetryable).toBe(false)
})
