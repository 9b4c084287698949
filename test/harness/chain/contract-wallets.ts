import { type Account, account } from '@heirloom/core'
import { wallets } from '@heirloom/testkit'
import { encodeDeployData, getAddress, type Hex, type LocalAccount } from 'viem'
import { compileSolidity } from '../../../packages/adapters/contracts/solidity.ts'
import { type Chain, connect } from '../../../packages/adapters/src/ledger/connection.ts'
import { sendOnce } from '../../../packages/adapters/src/ledger/send-once.ts'

let compiled: ReturnType<typeof compileSolidity> | undefined

/** Returns the compiled contract of a contract wallet, or of a factory. */
export function walletContract(name: string) {
  compiled ??= compileSolidity(
    ['ContractWallet', 'SharedWallet', 'Bombs'].map((file) => `test/wallets/${file}.sol`),
  )
  const contract = compiled[name]
  if (contract === undefined) throw new RangeError(`There is no contract ${name}.`)
  return contract
}

/** Deploys a contract and returns its address. */
export async function deployContract(
  chain: Chain | URL,
  data: Hex,
  wallet: LocalAccount = deployer,
): Promise<Account> {
  const { contractAddress } = await sendOnce(
    { client: connect(chain), wallet },
    { operation: 'deploy', data },
  )
  if (!contractAddress) throw new Error('The deployment has no address.')
  return account(getAddress(contractAddress))
}

/** No ledger of a test signs with this wallet, so its nonces are free. */
const deployer: LocalAccount = wallets[3]

/** Deploys a wallet that needs the signatures of all its owners. */
export function sharedWallet(chain: Chain | URL, owners: readonly Account[]): Promise<Account> {
  const { abi, bytecode } = walletContract('SharedWallet')
  const args = [owners, BigInt(owners.length)]
  return deployContract(chain, encodeDeployData({ abi, bytecode, args }))
}
