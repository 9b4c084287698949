import { createWalletClient, type Hex, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, expect, test } from 'vitest'
import { developmentAccounts } from '../../packages/http/page/src/wallet/development-accounts.ts'
import { rpc } from '../harness/process/server.ts'
import { confirmAndClose, connectDevelopment, goTo } from './actions.ts'
import { fillMarket } from './fill-market.ts'
import { openStage } from './stage.ts'
import type { Visitor } from './visitor.ts'

const { enter, server } = openStage('earnings')
let visitor: Visitor

beforeAll(async () => {
  await fillMarket(server.url())
  visitor = await enter()
})

const ben = privateKeyToAccount(developmentAccounts[1]?.key ?? '0x')

/** Delegates Ben's account to a contract (EIP-7702); the zero address ends that. */
async function delegate(contractAddress: Hex): Promise<void> {
  const client = createWalletClient({
    account: ben,
    chain: foundry,
    transport: http(`${server.url()}/rpc`),
  })
  const authorization = await client.signAuthorization({ contractAddress, executor: 'self' })
  const hash = await client.sendTransaction({
    to: ben.address,
    authorizationList: [authorization],
    gas: 100_000n,
  })
  const receipt = await rpc<{ status: Hex }>(server.url(), 'eth_getTransactionReceipt', [hash])
  expect(receipt.status).toBe('0x1')
}

/** Deploys a contract that refuses every payment. */
async function deployRefuser(): Promise<Hex> {
  const dan = developmentAccounts[3]
  const client = createWalletClient({
    account: privateKeyToAccount(dan?.key ?? '0x'),
    chain: foundry,
    transport: http(`${server.url()}/rpc`),
  })
  // CALLVALUE PUSH1 5 JUMPI STOP JUMPDEST PUSH0 PUSH0 REVERT, and what deploys that.
  const hash = await client.deployContract({
    abi: [],
    bytecode: '0x6834600557005b5f5ffd5f5260096017f3',
  })
  const { contractAddress } = await rpc<{ contractAddress: Hex }>(
    server.url(),
    'eth_getTransactionReceipt',
    [hash],
  )
  return contractAddress
}

test('withdraws a payment that could not be delivered', async () => {
  await delegate(await deployRefuser())
  const { page } = visitor
  await page.goto(`${server.url()}/token/7`)
  await connectDevelopment(page, 'Ada')
  await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await confirmAndClose(page)
  // Ben made No. 6, which No. 7 is a fork of, and his account refused its share.
  await page.getByRole('button', { name: 'Wallet Ada' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Ben/ }).click()
  await goTo(page, 'My memories')
  const earnings = page.getByRole('region', { name: 'Earnings' })
  await earnings.getByText('could not be delivered').waitFor()
  await delegate('0x0000000000000000000000000000000000000000')
  const balance = async () =>
    BigInt(await rpc<Hex>(server.url(), 'eth_getBalance', [ben.address, 'latest']))
  const before = await balance()
  await earnings.getByRole('button', { name: 'Withdraw' }).click()
  await confirmAndClose(page)
  await earnings.getByText('Nothing to withdraw').waitFor()
  const gained = (await balance()) - before
  // 15 % of the price of 0.4 ETH, less the fees.
  expect(gained).toBeGreaterThan(parseEther('0.0595'))
  expect(gained).toBeLessThan(parseEther('0.06'))
})
