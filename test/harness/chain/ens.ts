import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Account, account } from '@heirloom/core'
import {
  type Abi,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  type Hex,
  http,
  type LocalAccount,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { labelhash, namehash } from 'viem/ens'
import { type Anvil, testClient } from './anvil.ts'

/** The contracts of ENS on a chain, as they were published. */
export type Ens = {
  readonly registry: Account
  /** Registers a name; returns its resolver after it leads to an account. */
  readonly register: (name: string, to: Hex) => Promise<Hex>
  /** Lets an account say that a name is its primary one, whether that is true or not. */
  readonly claim: (by: LocalAccount, name: string) => Promise<void>
  /** Replaces the resolver of a name by a contract of this code. */
  readonly resolveWith: (name: string, code: Hex) => Promise<void>
}

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

const { resolve } = createRequire(import.meta.url)

const artifact = (file: string): Artifact =>
  JSON.parse(readFileSync(resolve(`@ensdomains/${file}.json`), 'utf8')) as Artifact

/** Deploys ENS on a chain. */
export async function deployEns(anvil: Anvil): Promise<Ens> {
  const owner = privateKeyToAccount(generatePrivateKey())
  await testClient(anvil).setBalance({ address: owner.address, value: 10n ** 20n })
  const transport = http(anvil.url.href)
  const client = createPublicClient({ transport, pollingInterval: 20 })
  const wallet = createWalletClient({ transport })
  const mined = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('The transaction was reverted.')
    return receipt
  }
  const deployCode = async (data: Hex) => {
    const hash = await wallet.sendTransaction({ account: owner, chain: null, data })
    return (await mined(hash)).contractAddress as Hex
  }
  const deploy = ({ abi, bytecode }: Artifact, args: readonly Hex[]) =>
    deployCode(encodeDeployData({ abi, bytecode, args }))
  const [names, reverse, records] = [
    artifact('ens/build/contracts/ENSRegistry'),
    artifact('ens/build/contracts/ReverseRegistrar'),
    artifact('resolver/build/contracts/PublicResolver'),
  ]
  const registry = await deploy(names, [])
  const resolver = await deploy(records, [registry])
  const registrar = await deploy(reverse, [registry, resolver])
  type Call = { readonly to: Hex; readonly of: Artifact; readonly name: string }
  const send = async (
    { to, of, name }: Call,
    args: readonly unknown[],
    by: LocalAccount = owner,
  ) => {
    const call = { address: to, abi: of.abi, functionName: name, args }
    await mined(await wallet.writeContract({ ...call, account: by, chain: null }))
  }
  const own = (parent: Hex, label: string, by: Hex) =>
    send({ to: registry, of: names, name: 'setSubnodeOwner' }, [parent, labelhash(label), by])
  await own(zeroHash, 'reverse', owner.address)
  await own(namehash('reverse'), 'addr', registrar)
  const useResolver = (name: string, address: Hex) =>
    send({ to: registry, of: names, name: 'setResolver' }, [namehash(name), address])
  return {
    registry: account(registry),
    register: async (name, to) => {
      const labels = name.split('.').toReversed()
      for (const [at, label] of labels.entries()) {
        const parent = labels.slice(0, at).toReversed().join('.')
        await own(namehash(parent), label, owner.address)
      }
      await useResolver(name, resolver)
      await send({ to: resolver, of: { ...records, abi: addressAbi }, name: 'setAddr' }, [
        namehash(name),
        to,
      ])
      return resolver
    },
    claim: (by, name) => send({ to: registrar, of: reverse, name: 'setName' }, [name], by),
    resolveWith: async (name, code) => useResolver(name, await deployCode(code)),
  }
}

/** The resolver has two functions of this name. */
const addressAbi: Abi = [
  {
    type: 'function',
    name: 'setAddr',
    stateMutability: 'nonpayable',
    outputs: [],
    inputs: [
      { name: 'node', type: 'bytes32' },
      { name: 'to', type: 'address' },
    ],
  },
]
