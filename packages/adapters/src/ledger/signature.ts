import { type Account, type Hex, sameAccount } from '@heirloom/core'
import {
  bytesToHex,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  getAddress,
  hashMessage,
  hexToBytes,
  isAddress,
  isHex,
  type PublicClient,
  size,
} from 'viem'
import { publicKeyToAddress } from 'viem/utils'
import { ask } from './connection.ts'
import type { Recover, Signature } from './recovery.ts'

/** Half the order of secp256k1; an s above it is the second spelling of a signature (EIP-2). */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** How much a contract may read and compute to recognise a signature. */
const longestSignature = 4096
const validationGas = 1_500_000n

const counterfactual = '6492649264926492649264926492649264926492649264926492649264926492'

/** What an account is said to have signed. */
export type Statement = {
  readonly account: Account
  readonly message: string
  readonly signature: Hex
}

/** The parts that recognise signatures. */
export type Recogniser = { readonly client: PublicClient; readonly recover: Recover }

/**
 * Tells whether an account signed a message: a wallet by EIP-191, a contract by ERC-1271, one that
 * is not deployed yet by ERC-6492. The account must be in its EIP-55 spelling.
 *
 * @throws `ledger/unavailable`
 */
export async function signed(parts: Recogniser, statement: Statement): Promise<boolean> {
  const { account, message, signature } = statement
  if (!isAddress(account) || getAddress(account) !== account || !isHex(signature)) return false
  if (size(signature) > longestSignature) return false
  const hash = hashMessage(message)
  const signer = await walletOf(parts.recover, hash, signature)
  if (signer !== undefined && sameAccount(signer, account)) return true
  return contractSigned(parts.client, { account, hash, signature })
}

async function walletOf(recover: Recover, hash: Hex, hex: Hex): Promise<Account | undefined> {
  const signature = readSignature(hex)
  if (signature === undefined) return undefined
  const key = await recover(hexToBytes(hash), signature)
  return key === undefined ? undefined : (publicKeyToAddress(bytesToHex(key)) as Account)
}

/** Reads 65 bytes of r, s and v, with v in either spelling and s in the lower half. */
function readSignature(hex: Hex): Signature | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(hex)) return undefined
  const bytes = hexToBytes(hex)
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (BigInt(`0x${hex.slice(66, 130)}`) > highestS) return undefined
  if (recovery !== 0 && recovery !== 1) return undefined
  return { compact: bytes.slice(0, 64), recovery }
}

async function contractSigned(
  client: PublicClient,
  { account, hash, signature }: { account: Account; hash: Hex; signature: Hex },
): Promise<boolean> {
  const code = await ask('eth_getCode', () => client.getCode({ address: account }))
  if (code === undefined && !signature.endsWith(counterfactual)) return false
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [account, hash, signature],
    bytecode: erc6492SignatureValidatorByteCode,
  })
  const verdict = await validate(client, data)
  return verdict !== undefined && BigInt(verdict) === 1n
}

/** Runs the validator without deploying it; one that reverts or runs out of gas says no. */
async function validate(client: PublicClient, data: Hex): Promise<Hex | undefined> {
  const call = client.call({ data, gas: validationGas })
  const answer = await call.catch(async () => {
    // Tells a verdict of the validator from a node that is gone.
    await ask('eth_call', () => client.getBlockNumber())
    return { data: undefined }
  })
  return answer.data === '0x' ? undefined : answer.data
}
