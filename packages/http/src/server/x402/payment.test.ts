import { isFailure } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPayment } from './payment.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

const address = `0x${'1'.repeat(40)}`
const word = `0x${'2'.repeat(64)}`
const order = {
  act: 'rent',
  tokenId: '1',
  asset: address,
  price: '5',
  recipient: address,
  numberOfDays: '1',
  maxRoyaltyBps: '0',
  refundTo: address,
  deadline: '9',
  salt: word,
}
const payment = {
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:1',
    amount: '5',
    asset: address,
    payTo: address,
    extra: { order },
  },
  payload: {
    signature: '0x12',
    authorization: {
      from: address,
      to: address,
      value: '5',
      validAfter: '0',
      validBefore: '9',
      nonce: word,
    },
  },
}

test('a payment is read as it is, with members that are not known', () => {
  const sent = { ...payment, resource: { url: 'http://a' }, extensions: {} }
  expect(readPayment(encode(sent))).toMatchObject({
    scheme: 'exact',
    network: 'eip155:1',
    order: { act: 1, tokenId: 1n, price: 5n, salt: word },
    authorization: { payer: address, to: address, value: 5n, nonce: word, signature: '0x12' },
  })
})

test('any other header is refused by a failure', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.json().map((text) => Buffer.from(text).toString('base64')),
    fc.jsonValue().map((value) => encode({ ...payment, accepted: value })),
    fc.jsonValue().map((value) => encode({ ...payment, payload: value })),
    fc.jsonValue().map((extra) => encode({ ...payment, accepted: { ...payment.accepted, extra } })),
  )
  fc.assert(
    fc.property(texts, (header) => {
      try {
        readPayment(header)
        return false
      } catch (error) {
        return isFailure(error)
      }
    }),
  )
})

test('each number and address of it is one', () => {
  const wrong = ['', '-1', '1.5', '0x1', '01', `${10n ** 78n}`, '1e3', ' 1']
  const { authorization } = payment.payload
  for (const name of ['value', 'validAfter', 'validBefore', 'nonce', 'from', 'to'] as const) {
    for (const text of wrong) {
      const payload = { ...payment.payload, authorization: { ...authorization, [name]: text } }
      expect(() => readPayment(encode({ ...payment, payload })), `${name} ${text}`).toThrow()
    }
  }
})
