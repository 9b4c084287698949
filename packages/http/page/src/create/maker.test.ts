import { expect, test } from 'vitest'
import { decideMaking } from './maker-choice.tsx'

const origin = 'https://memories.example'
const open = { origin, openActs: ['snapshot', 'seal'] } as const
const keys = { origin, openActs: [] } as const
const openToWallets = { origin, openActs: ['seal'] } as const

test('the wallet of the visitor makes a memory, unless they choose the server', () => {
  const place = { deployment: open, hasWallet: true, origin }
  expect(decideMaking('wallet', place)).toMatchObject({ maker: 'wallet', isChoice: true })
  expect(decideMaking('server', place)).toMatchObject({ maker: 'server', isChoice: true })
})

test('the server makes it without a wallet, and where it seals nothing for this page', () => {
  for (const place of [
    { deployment: open, hasWallet: false, origin },
    { deployment: { origin }, hasWallet: true, origin },
    { deployment: open, hasWallet: true, origin: 'https://elsewhere.example' },
  ]) {
    expect(decideMaking('wallet', place)).toMatchObject({ maker: 'server', isChoice: false })
  }
})

test.each([
  ['wallet', open, false],
  ['server', open, false],
  ['wallet', keys, true],
  ['server', keys, true],
  ['wallet', openToWallets, false],
  ['server', openToWallets, true],
] as const)('made by the %s on %j, it needs a key: %s', (chosen, deployment, needsKey) => {
  expect(decideMaking(chosen, { deployment, hasWallet: true, origin })).toMatchObject({ needsKey })
})

test('an older server does not say what needs a key', () => {
  const place = { deployment: { origin }, hasWallet: false, origin }
  expect(decideMaking('server', place)).toMatchObject({ needsKey: false, isOpenToWallets: false })
})
