import { expect, test } from 'vitest'
import { isName } from './passkey.ts'

const names = ['localhost', 'market.example', 'a.b2', 'xn--9ca.example', '1.example.']
const addresses = ['127.0.0.1', '[::1]', '[2001:db8::ab]', '[fd00::a:b]', '[::ffff:7f00:1]']

test('a host is a name unless it is an address, also one with letters', () => {
  expect([...names, ...addresses].filter(isName)).toEqual(names)
})
