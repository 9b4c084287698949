import { type Account, isFailure, type Statement } from '@heirloom/core'
import { arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import {
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  hexToBytes,
  type LocalAccount,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileSolidity } from '../../../contracts/solidity.ts'
import { type Evm, openEvm } from '../../embedded-chain/evm.ts'
import { type Keccak, referenceKeccak, wasmKeccak } from '../../platform/keccak.ts'
import { connect } from '../connection.ts'
import { sendOnce } from '../send-once.ts'
import { contractSignatureCheck } from './contract-signature-check.ts'
import {
  type KeyRecovery,
  nativeKeyRecovery,
  referenceKeyRecovery,
  wasmKeyRecovery,
} from './key-recovery.ts'
import { signatureCheck } from './signature-check.ts'
import { signerRecovery } from './signer-recovery.ts'

const { ContractWallet, EndlessWallet, FickleWallet, WalletFactory } = compileSolidity([
  'test/wallets/ContractWallet.sol',
])
const wallet = privateKeyToAccount(generatePrivateKey())
const account = wallet.address as Account
const message = 'service:access:1:me:1'
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let evm: Evm
let keyRecoveries: Readonly<Record<string, KeyRecovery>>
let keccaks: Readonly<Record<string, Keccak>>
beforeAll(async () => {
  const accounts = [{ address: account, balance: 10n ** 20n }]
  evm = await openEvm({ chainId: 31337, genesisTime: 1_800_000_000, accounts })
  keyRecoveries = {
    native: nativeKeyRecovery(),
    wasm: await wasmKeyRecovery(),
    reference: referenceKeyRecovery(),
  }
  keccaks = { wasm: await wasmKeccak(), reference: referenceKeccak }
})

const parts = ({
  recoverKey = keyRecoveries.native as KeyRecovery,
  keccak = keccaks.wasm as Keccak,
}: Partial<signerRecovery.Parts> = {}) => ({
  client: connect(evm),
  signerRecovery: signerRecovery({ recoverKey, keccak }),
})

const check = async (statement: Statement) =>
  (await signatureCheck(parts())(statement)) ?? checkByContract(statement)

const checkByContract = (statement: Statement) =>
  contractSignatureCheck({ client: connect(evm), keccak: keccaks.wasm as Keccak })(statement)

async function deploy(bytecode: Hex): Promise<Account> {
  const call = { operation: 'deploy', data: bytecode }
  const { contractAddress } = await sendOnce({ client: connect(evm), wallet }, call)
  return getAddress(contractAddress as Hex) as Account
}

/** Returns the same signature with its other, higher s. */
function withHighS(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

describe('a signature of an account', () => {
  it('is valid', async () => {
    const signature = await wallet.signMessage({ message })
    expect(await check({ account, message, signature })).toBe(true)
  })

  it('is valid with a recovery byte of 0 or 1', async () => {
    const signature = await wallet.signMessage({ message })
    const v = signature.endsWith('1b') ? '00' : '01'
    expect(
      await check({ account, message, signature: `${signature.slice(0, -2)}${v}` as Hex }),
    ).toBe(true)
  })

  it('is invalid with a high s, another recovery byte, or another length', async () => {
    const signature = await wallet.signMessage({ message })
    const variants = [
      withHighS(signature),
      `${signature.slice(0, -2)}1d`,
      signature.slice(0, -2),
      '0x',
    ]
    for (const variant of variants) {
      expect(await check({ account, message, signature: variant as Hex })).toBe(false)
    }
  })

  it('is invalid for an address without its EIP-55 checksum', async () => {
    const signature = await wallet.signMessage({ message })
    const lowerCase = account.toLowerCase() as Account
    expect(await check({ account: lowerCase, message, signature })).toBe(false)
  })

  it('has the same signer in every implementation, for any bytes', async () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const compact = fc.uint8Array({ minLength: 64, maxLength: 64 })
    const recovery = fc.constantFrom(0 as const, 1 as const)
    await fc.assert(
      fc.asyncProperty(hash, compact, recovery, async (digest, bytes, id) => {
        const signature = { compact: bytes, recovery: id }
        const keys = await Promise.all(
          Object.values(keyRecoveries).map(async (recoverKey) => recoverKey(digest, signature)),
        )
        for (const key of keys)
          expect(key && Buffer.from(key)).toEqual(keys[0] && Buffer.from(keys[0]))
      }),
      { numRuns: 200 },
    )
  })
})

describe('a hash', () => {
  it('is the same in every implementation, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
        const [one, ...others] = Object.values(keccaks).map((it) => Buffer.from(it(bytes)))
        for (const other of others) expect(other).toEqual(one)
      }),
    )
  })

  it('is not overwritten by the next one', () => {
    for (const keccak of Object.values(keccaks)) {
      const [one, other] = [keccak(Uint8Array.of(1)), keccak(Uint8Array.of(2))]
      expect(one).toEqual(keccak(Uint8Array.of(1)))
      expect(other).toEqual(keccak(Uint8Array.of(2)))
    }
  })
})

describe('every implementation', () => {
  it('accepts what viem signed, for any message and key, and no other message', async () => {
    const checks = Object.values(keyRecoveries).flatMap((recoverKey) =>
      Object.values(keccaks).map((keccak) => signatureCheck(parts({ recoverKey, keccak }))),
    )
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((it) => it.some(Boolean))
    const messages = fc.uniqueArray(fc.string({ unit: arbitraryCodePoint }), {
      minLength: 2,
      maxLength: 2,
    })
    const signer = key.map((it) => privateKeyToAccount(bytesToHex(it.fill(0, 0, 1))))
    await fc.assert(
      fc.asyncProperty(signer, messages, async (by, [text = '', another = '']) => {
        const signature = await by.signMessage({ message: text })
        const claim = { account: by.address as Account, signature }
        for (const isSigned of checks) {
          // The second result comes from the cache.
          expect(await isSigned({ ...claim, message: text })).toBe(true)
          expect(await isSigned({ ...claim, message: text })).toBe(true)
          expect(await isSigned({ ...claim, message: another })).toBe(false)
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('a cached signature', () => {
  const countingCheck = () => {
    let recoveries = 0
    const recoverKey: KeyRecovery = (hash, signature) => {
      recoveries += 1
      return keyRecoveries.native?.(hash, signature)
    }
    return { isSigned: signatureCheck(parts({ recoverKey })), recoveries: () => recoveries }
  }

  it('is not recovered again', async () => {
    const { isSigned, recoveries } = countingCheck()
    const signature = await wallet.signMessage({ message })
    for (let time = 0; time < 3; time++) await isSigned({ account, message, signature })
    expect(recoveries()).toBe(1)
  })

  it('is invalid for another account and for another message', async () => {
    const { isSigned } = countingCheck()
    const signature = await wallet.signMessage({ message })
    const claim = { account, message, signature }
    expect(await isSigned(claim)).toBe(true)
    const stranger = privateKeyToAccount(generatePrivateKey()).address as Account
    expect(await isSigned({ ...claim, account: stranger })).toBe(false)
    expect(await isSigned({ ...claim, account: account.toLowerCase() as Account })).toBe(false)
    expect(await isSigned({ ...claim, message: 'other' })).toBe(false)
    expect(await isSigned(claim)).toBe(true)
  })

  it('is recovered again if it was invalid', async () => {
    const { isSigned, recoveries } = countingCheck()
    const signature = await wallet.signMessage({ message })
    for (let time = 0; time < 3; time++) {
      expect(await isSigned({ account, message: 'other', signature })).toBe(false)
    }
    expect(recoveries()).toBe(3)
  })
})

describe('a signature of a contract', () => {
  it('is valid if the contract says so (ERC-1271)', async () => {
    const owner = encodeAbiParameters([{ type: 'address' }], [account])
    const contract = await deploy(`${ContractWallet?.bytecode as Hex}${owner.slice(2)}`)
    const signature = await wallet.signMessage({ message })
    expect(await check({ account: contract, message, signature })).toBe(true)
    expect(await check({ account: contract, message: 'other', signature })).toBe(false)
  })

  it('is valid before the contract is deployed (ERC-6492)', async () => {
    const factory = await deploy(WalletFactory?.bytecode as Hex)
    const owner = encodeAbiParameters([{ type: 'address' }], [account])
    const contract = getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt: `0x${'0'.repeat(64)}`,
      bytecode: `${ContractWallet?.bytecode as Hex}${owner.slice(2)}`,
    }) as Account
    const data = encodeFunctionData({
      abi: WalletFactory?.abi ?? [],
      functionName: 'deploy',
      args: [account],
    })
    const wrapped = async (signer: LocalAccount) =>
      serializeErc6492Signature({
        address: factory,
        data,
        signature: await signer.signMessage({ message }),
      })
    expect(await check({ account: contract, message, signature: await wrapped(wallet) })).toBe(true)
    const stranger = privateKeyToAccount(generatePrivateKey())
    expect(await check({ account: contract, message, signature: await wrapped(stranger) })).toBe(
      false,
    )
  })

  it('is checked again each time, since the contract may change its result', async () => {
    const contract = await deploy(FickleWallet?.bytecode as Hex)
    const claim = { account: contract, message, signature: await wallet.signMessage({ message }) }
    expect(await check(claim)).toBe(true)
    const data = encodeFunctionData({ abi: FickleWallet?.abi ?? [], functionName: 'close' })
    await sendOnce({ client: connect(evm), wallet }, { operation: 'close', to: contract, data })
    expect(await check(claim)).toBe(false)
  })

  it('is invalid if the contract never returns, after a bounded time', async () => {
    const contract = await deploy(EndlessWallet?.bytecode as Hex)
    const signature = await wallet.signMessage({ message })
    expect(await check({ account: contract, message, signature })).toBe(false)
  })

  it('fails with ledger/unavailable if the chain does not answer', async () => {
    const gone = { request: () => Promise.reject(new Error('gone')) }
    const signature = await privateKeyToAccount(generatePrivateKey()).signMessage({ message })
    const accountCheck = signatureCheck({ ...parts(), client: connect(gone) })
    const claim = { account, message, signature }
    const keccak = keccaks.wasm as Keccak
    const contractCheck = contractSignatureCheck({ client: connect(gone), keccak })
    for (const isSigned of [accountCheck, contractCheck]) {
      const error = await isSigned(claim).catch((caught: unknown) => caught)
      expect(isFailure(error, 'ledger/unavailable')).toBe(true)
    }
    expect(hexToBytes(signature)).toHaveLength(65)
  })
})
