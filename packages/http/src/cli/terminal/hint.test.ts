import { expect, test } from 'vitest'
import { type FailedLine, hintedSentence } from './hint.ts'

const say = (code: string, facts: object, words: string, more: Partial<FailedLine> = {}) =>
  hintedSentence(
    code,
    { facts: { ...facts }, message: 'Its message.' },
    { words: words.split(' '), isRelayed: false, hasApiKey: false, url: 'http://a', ...more },
  )

test('amounts are in their currency, and the option is that of the command', () => {
  const facts = { tokenId: '7', price: '5000000', maxPrice: '4000000', currency: 'dollar' }
  expect(say('listing/over-max-price', facts, 'buy 7 --as-wallet')).toBe(
    'Token 7 costs 5 USD, more than the accepted 4 USD; raise --max-price to pay this price.',
  )
  const native = { tokenId: '7', price: '5', maxPrice: '4' }
  expect(say('listing/over-max-price', native, 'buy 7')).toContain(
    '(5 wei), more than the accepted',
  )
})

test('a wallet without native money is hint of the relay, unless that is used', () => {
  const facts = { account: '0x1', balance: '0', needed: '9' }
  const hint = 'or let the server pay the fees with --relayed'
  expect(say('wallet/short', facts, 'list 7 --as-wallet')).toContain(hint)
  expect(say('wallet/short', facts, 'transfer 7 0x2')).toContain(hint)
  expect(say('wallet/short', facts, 'list 7')).not.toContain(hint)
  expect(say('wallet/short', facts, 'list 7 --as-wallet --relayed')).not.toContain(hint)
  expect(say('wallet/short', facts, 'list 7 --as-wallet', { isRelayed: true })).not.toContain(hint)
  const inDollars = { ...facts, currency: 'dollar' }
  expect(say('wallet/short', inDollars, 'buy 7 --as-wallet')).not.toContain(hint)
})

test('a caller without an API key, or with dollars to pay, is hint of the own wallet', () => {
  expect(say('request/not-authorized', {}, 'list 7')).toContain('--as-wallet')
  const withKey = say('request/not-authorized', {}, 'list 7', { hasApiKey: true })
  expect(withKey).toContain('does not know the API key in HEIRLOOM_API_KEY')
  expect(say('request/not-authorized', {}, 'list 7 --as-wallet')).toBe('Its message.')
  expect(say('listing/currency-changed', {}, 'rent 7')).toContain('--as-wallet')
  expect(say('listing/currency-changed', {}, 'rent 7 --as-wallet')).toBe('Its message.')
  expect(say('token/not-found', {}, 'rent 7')).toBeUndefined()
})

test('who may not rate a token reads all reasons, and with which wallet it goes', () => {
  expect(say('rating/not-paid', { tokenId: '7', account: '0x1' }, 'rate 7 5')).toBe(
    'No payment of 0x1 for token 7 counts, and only accounts that paid may rate it. What the owner of a token pays to itself does not count, nor what its maker pays, nor a payment that is not confirmed yet. Buy, rent or fork it with your own wallet (--as-wallet), and rate it with that one.',
  )
})

test('an address that is not that of a server says what to set', () => {
  const at = (url: string) => say('route/not-found', {}, 'info 7', { url })
  expect(at('http://a/base')).toBe(
    'No Heirloom server at http://a/base, but there is one at http://a. Set HEIRLOOM_URL or --url to that, without /base.',
  )
  expect(at('http://a')).toContain('may be of another version')
  const facts = { problem: 'it has the status 404 and no failure code' }
  expect(say('client/bad-answer', facts, 'info 7')).toContain(
    'does not answer as a Heirloom server',
  )
})

test('a name without the version points to the names of the command line', () => {
  const facts = { name: 'ada', version: 9 }
  expect(say('name/not-found', facts, 'log ada')).toContain('heirloom names lists your names')
  expect(say('name/not-found', facts, 'log ada --as-wallet')).toContain('names --as-wallet lists')
  expect(say('name/not-found', facts, 'restore ada')).toContain('no backup at ada, and no version')
  const slashed = { name: 'ada/x' }
  expect(say('name/not-found', slashed, 'diff ada/x 7')).toContain('no file ada/x, and no version')
  expect(say('name/not-found', slashed, 'log ada/x')).toContain('There is no version under')
  expect(say('client/no-version', facts, 'restore ada@9')).toContain('heirloom log ada lists')
  expect(say('client/no-common-version', { ours: '1', theirs: '2' }, 'merge 1 2')).toContain(
    '--base',
  )
  expect(say('memory/erased', {}, 'restore ada')).toContain('heirloom log')
  expect(say('memory/erased', {}, 'download 7')).toBe('Its message.')
})

test('a data folder in use is no reason to name another one, but for what may start elsewhere', () => {
  const facts = { folder: '.heirloom' }
  for (const line of ['names recover', 'keys rotate', 'tenants list', 'chain repair']) {
    expect(say('folder/in-use', facts, line), line).toBe(
      'A server or another command is using .heirloom; stop it, and run this again.',
    )
  }
  expect(say('folder/in-use', facts, 'serve')).toBe('Its message.')
})

test('a command that only an API key allows names the key, and no own wallet', () => {
  for (const words of ['webhook list', 'operator', 'wallet']) {
    const hint = say('request/not-authorized', {}, words)
    expect(hint).toMatch(/ only with an API key.*\. Set HEIRLOOM_API_KEY\.$/)
  }
  expect(say('webhook/not-found', { id: 'x' }, 'webhook remove x')).toContain(
    'heirloom webhook list shows those that exist',
  )
})

test('a refused grant has no hint of the key of the server', () => {
  expect(say('access/denied', {}, 'download 7')).toContain('agent.key')
  for (const grant of ['--grant 0x1', '--grant=0x1']) {
    expect(say('access/denied', {}, `save 0x2:ada memory.json ${grant}`)).toBe('Its message.')
  }
})
