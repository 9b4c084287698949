import { Failure } from '@heirloom/core'
import {
  domainSeparator,
  getAddress,
  type Hex,
  keccak256,
  type PublicClient,
  pad,
  size,
  stringToHex,
  toHex,
} from 'viem'
import { runtimes } from './contracts.generated.ts'
import { callNode } from './node-call.ts'
import { runtimes020 } from './released-runtimes.ts'
import { type Immutables, type PairRuntimes, readImmutables } from './runtime-code.ts'

/** The addresses of the registry and the marketplace of one deployment. */
export type ContractPair = { readonly registry: Hex; readonly marketplace: Hex }

/** A pair with the other contracts that were deployed with it, and the dollar that it is bound to. */
export type DeployedPair = ContractPair & {
  /** Relays what accounts signed (ERC-2771). */
  readonly forwarder: Hex
  /** The code of the addresses that orders are paid to. */
  readonly depositCode: Hex
  /** The ERC-20 token for prices in dollars; absent where the pair has none. */
  readonly dollar: Hex | undefined
}

/** The result of a search for a pair: the pair, no contract, or a contract that is not ours. */
export type PairSearch =
  | { readonly kind: 'pair'; readonly pair: DeployedPair }
  | { readonly kind: 'absent' }
  | { readonly kind: 'foreign'; readonly name: string; readonly address: Hex }

type PairLocation = {
  readonly marketplace: Hex
  /** The block to read, the newest when absent. */
  readonly blockNumber?: bigint
  /** The code of the pairs to accept; by default of every release. */
  readonly known?: readonly PairRuntimes[]
}

/**
 * Finds the pair of a marketplace. Compares the code of its contracts with that of one release, byte
 * for byte, with the addresses of the others in each: a foreign constructor can leave our code with
 * other values in it, such as a forwarder that acts for everybody.
 *
 * @throws `ledger/unavailable`
 */
export async function findPair(
  client: PublicClient,
  { marketplace, blockNumber, known = knownRuntimes }: PairLocation,
): Promise<PairSearch> {
  const codeAt = async (address: Hex) => {
    const request = blockNumber === undefined ? { address } : { address, blockNumber }
    return callNode('eth_getCode', () => client.getCode(request))
  }
  const code = await codeAt(marketplace)
  if (code === undefined) return { kind: 'absent' }
  const [release] = known.flatMap((runtimes) => {
    const links = readImmutables(code, runtimes.marketplace)
    return links === undefined ? [] : [{ runtimes, links }]
  })
  if (release === undefined) return foreign('MARKETPLACE_ADDRESS', marketplace)
  const { runtimes, links } = release
  const pair = { marketplace: getAddress(marketplace), ...readLinks(links) }
  const chainId = await callNode('eth_chainId', () => client.getChainId())
  const expected = expectedImmutables(pair, chainId)
  for (const part of linkedParts) {
    const found = readImmutables((await codeAt(pair[part])) ?? '0x', runtimes[part])
    if (!isSame(found, expected[part])) return foreign(nameOf(part), pair[part])
  }
  return { kind: 'pair', pair }
}

/**
 * Returns the pair of a marketplace, and requires that the code of its contracts is ours.
 *
 * @throws `config/invalid` if there is other code or none, `ledger/unavailable`
 */
export async function requirePair(
  client: PublicClient,
  location: PairLocation,
): Promise<DeployedPair> {
  const search = await findPair(client, location)
  if (search.kind === 'pair') return search.pair
  throw new Failure(
    'config/invalid',
    search.kind === 'absent'
      ? {
          name: 'MARKETPLACE_ADDRESS',
          problem: `names ${location.marketplace}, where this chain has no contract`,
        }
      : {
          name: search.name,
          problem: `names ${search.address}, a contract of another kind or version`,
        },
  )
}

/** The contracts that the code of a marketplace names. */
const linkedParts = ['registry', 'forwarder', 'depositCode'] as const

type LinkedPart = (typeof linkedParts)[number]

const nameOf = (part: LinkedPart) =>
  part === 'registry' ? 'REGISTRY_ADDRESS' : 'MARKETPLACE_ADDRESS'

const foreign = (name: string, address: Hex): PairSearch => ({
  kind: 'foreign',
  name,
  address: getAddress(address),
})

function readLinks(links: Immutables): Omit<DeployedPair, 'marketplace'> {
  const addressIn = (name: string) => getAddress(`0x${links[name]?.slice(-40)}`)
  const dollar = addressIn('dollar')
  return {
    registry: addressIn('registry'),
    forwarder: addressIn('_trustedForwarder'),
    depositCode: addressIn('depositCode'),
    dollar: BigInt(dollar) === 0n ? undefined : dollar,
  }
}

/** The EIP-712 domain of a forwarder, without chain and contract. */
export const forwarderDomain = { name: 'Heirloom Forwarder', version: '1' } as const

/** Returns the immutable values of the contracts that a marketplace deployed on a chain. */
function expectedImmutables(
  { marketplace, forwarder }: DeployedPair,
  chainId: number,
): Readonly<Record<LinkedPart, Immutables>> {
  const { name, version } = forwarderDomain
  const domain = { name, version, chainId, verifyingContract: forwarder }
  return {
    registry: { marketplace: pad(marketplace), _trustedForwarder: pad(forwarder) },
    depositCode: { _marketplace: pad(marketplace) },
    forwarder: {
      _cachedDomainSeparator: domainSeparator({ domain }),
      _cachedChainId: toHex(chainId, { size: 32 }),
      _cachedThis: pad(forwarder),
      _hashedName: keccak256(stringToHex(name)),
      _hashedVersion: keccak256(stringToHex(version)),
      _name: shortString(name),
      _version: shortString(version),
    },
  }
}

/** Encodes a text of up to 31 bytes as OpenZeppelin's ShortString: the text, and its length last. */
function shortString(text: string): Hex {
  const bytes = stringToHex(text)
  return `${pad(bytes, { dir: 'right', size: 31 })}${toHex(size(bytes), { size: 1 }).slice(2)}`
}

function isSame(found: Immutables | undefined, expected: Immutables): boolean {
  const names = Object.keys(found ?? {})
  return (
    names.length > 0 &&
    names.every((name) => found?.[name]?.toLowerCase() === expected[name]?.toLowerCase())
  )
}

/**
 * The code of the pairs of every release, the newest first. A server opens pairs of each, so one that
 * is released is never removed; test/fixtures/contracts has the code of each release.
 */
export const knownRuntimes: readonly PairRuntimes[] = [runtimes, runtimes020]
