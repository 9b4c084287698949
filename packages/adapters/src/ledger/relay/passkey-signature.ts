import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Account } from '@heirloom/core'
import { decodeAbiParameters, type Hex, hashTypedData, parseAbiParameters } from 'viem'
import type { Creation } from './passkey-account.ts'

const wrapper = parseAbiParameters([
  'Wrapper wrapper',
  'struct Wrapper { uint256 ownerIndex; bytes signatureData; }',
])

const assertion = parseAbiParameters([
  'Assertion assertion',
  'struct Assertion { bytes authenticatorData; bytes clientDataJSON; uint256 challengeIndex; uint256 typeIndex; bytes32 r; bytes32 s; }',
])

/** Half the order of the curve: of the two values that sign alike, the contract takes the lower one. */
const halfOrder = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n

/** The flags of an authenticator are at this byte; the first says that a user was present. */
const [flagsAt, userPresent] = [32, 1]

/**
 * Returns whether a passkey signed a hash for its account on a chain, as the contract of the account
 * checks it, but in this process.
 */
export function isSignedByPasskey(
  { publicKey, signature }: Creation,
  claim: { readonly chainId: number; readonly account: Account; readonly hash: Hex },
): boolean {
  try {
    const [{ ownerIndex, signatureData }] = decodeAbiParameters(wrapper, signature)
    const [it] = decodeAbiParameters(assertion, signatureData)
    const clientData = bytesOf(it.clientDataJSON)
    const authenticatorData = bytesOf(it.authenticatorData)
    const has = (index: bigint, text: string) =>
      clientData.subarray(Number(index), Number(index) + text.length).equals(Buffer.from(text))
    const challenge = bytesOf(hashInAccount(claim)).toString('base64url')
    const signed = [authenticatorData, createHash('sha256').update(clientData).digest()]
    const rules = [
      () => ownerIndex === 0n && BigInt(it.s) <= halfOrder,
      () => has(it.typeIndex, '"type":"webauthn.get"'),
      () => has(it.challengeIndex, `"challenge":"${challenge}"`),
      () => (authenticatorData.readUInt8(flagsAt) & userPresent) === userPresent,
      () => isOfKey(publicKey, Buffer.concat(signed), bytesOf(`${it.r}${it.s.slice(2)}`)),
    ]
    return rules.every((holds) => holds())
  } catch {
    return false
  }
}

const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), 'hex')

/** Returns the hash that a passkey signs, so that no other account of it is bound (ERC-1271). */
const hashInAccount = ({ chainId, account, hash }: Parameters<typeof isSignedByPasskey>[1]): Hex =>
  hashTypedData({
    domain: { name: 'Coinbase Smart Wallet', version: '1', chainId, verifyingContract: account },
    types: { CoinbaseSmartWalletMessage: [{ name: 'hash', type: 'bytes32' }] },
    primaryType: 'CoinbaseSmartWalletMessage',
    message: { hash },
  })

function isOfKey(publicKey: Hex, signed: Buffer, signature: Buffer): boolean {
  const point = bytesOf(publicKey)
  const [x, y] = [point.toString('base64url', 0, 32), point.toString('base64url', 32)]
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
