import { type Account, isFailure, type Statement } from '@heirloom/core'
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
import { contractSigned } from './contract-signature-check.ts'
import { nativeRecover, type Recover, referenceRecover, wasmRecover } from './key-recovery.ts'
import { sendOnce } from '../send-once.ts'
import { recogniser } from './signature-check.ts'
import { signerBy } from './signer-recovery.ts'

const { ContractWallet, EndlessWallet, FickleWallet, WalletFactory } = compileSolidity([
  'test/wallets/ContractWallet.sol',
])
const wallet = privateKeyToAccount(generatePrivateKey())
const account = wallet.address as Account
const message = 'service:access:1:me:1'
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let evm: Evm
let recovers: Readonly<Record<string, Recover>>
let keccaks: Readonly<Record<string, Keccak>>
beforeAll(async () => {
  const accounts = [{ address: account, balance: 10n ** 20n }]
  evm = await openEvm({ chainId: 31337, genesisTime: 1_800_000_000, accounts })
  recovers = {
    native: nativeRecover(),
    wasm: await wasmRecover(),
    reference: referenceRecover(),
  }
  keccaks = { wasm: await wasmKeccak(), reference: referenceKeccak }
})

const parts = ({
  recover = recovers.native as Recover,
  keccak = keccaks.wasm as Keccak,
}: Partial<signerBy.Parts> = {}) => ({
  client: connect(evm),
  signerOf: signerBy({ recover, keccak }),
})

const recognise = async (statement: Statement) =>
  (await recogniser(parts())(statement)) ?? askContract(statement)

const askContract = (statement: Statement) =>
  contractSigned({ client: connect(evm), keccak: keccaks.wasm as Keccak })(statement)

async function deploy(bytecode: Hex): Promise<Account> {
  const call = { operation: 'deploy', data: bytecode }
  const { contractAddress } = await sendOnce({ client: connect(evm), wallet }, call)
  return getAddress(contractAddress as Hex) as Account
}

/** The same signature spelled with the other s, which every curve signature also has. */
function highS(signature: Hex): Hex {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

describe('a wallet', () => {
  it('is recognised by what it signed', async () => {
    const signature = await wallet.signMessage({ message })
    expect(await recognise({ account, message, signature })).toBe(true)
  })

  it('is recognised with the recovery byte spelled 0 or 1', async () => {
    const signature = await wallet.signMessage({ message })
    const v = signature.endsWith('1b') ? '00' : '01'
    expect(
      await recognise({ account, message, signature: `${signature.slice(0, -2)}${v}` as Hex }),
    ).toBe(true)
  })

  it('is not recognised by the high-s spelling, another recovery byte, or another length', async () => {
    const signature = await wallet.signMessage({ message })
    const bad = [highS(signature), `${signature.slice(0, -2)}1d`, signature.slice(0, -2), '0x']
    for (const spelling of bad) {
      expect(await recognise({ account, message, signature: spelling as Hex })).toBe(false)
    }
  })

  it('must be named in its EIP-55 spelling', async () => {
    const signature = await wallet.signMessage({ message })
    const lower = account.toLowerCase() as Account
    expect(await recognise({ account: lower, message, signature })).toBe(false)
  })

  it('is recovered alike by every implementation, from any bytes', async () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const compact = fc.uint8Array({ minLength: 64, maxLength: 64 })
    const recovery = fc.constantFrom(0 as const, 1 as const)
    await fc.assert(
      fc.asyncProperty(hash, compact, recovery, async (digest, bytes, id) => {
        const signature = { compact: bytes, recovery: id }
        const keys = await Promise.all(
          Object.values(recovers).map(async (recover) => recover(digest, signature)),
        )
        for (const key of keys)
          expect(key && Buffer.from(key)).toEqual(keys[0] && Buffer.from(keys[0]))
      }),
      { numRuns: 200 },
    )
  })
})

describe('a hash', () => {
  it('is the same by every implementation, of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (bytes) => {
        const [one, ...others] = Object.values(keccaks).map((it) => Buffer.from(it(bytes)))
        for (const other of others) expect(other).toEqual(one)
      }),
    )
  })

  it('is not changed by the next one', () => {
    for (const keccak of Object.values(keccaks)) {
      const [one, other] = [keccak(Uint8Array.of(1)), keccak(Uint8Array.of(2))]
      expect(one).toEqual(keccak(Uint8Array.of(1)))
      expect(other).toEqual(keccak(Uint8Array.of(2)))
    }
  })
})

describe('whatever does the arithmetic', () => {
  it('recognises what viem signs, any text by any key, and no other text', async () => {
    const all = Object.values(recovers).flatMap((recover) =>
      Object.values(keccaks).map((keccak) => recogniser(parts({ recover, keccak }))),
    )
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((it) => it.some(Boolean))
    const texts = fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 })
    const signer = key.map((it) => privateKeyToAccount(bytesToHex(it.fill(0, 0, 1))))
    await fc.assert(
      fc.asyncProperty(signer, texts, async (by, [text = '', another = '']) => {
        const signature = await by.signMessage({ message: text })
        const claim = { account: by.address as Account, signature }
        for (const signed of all) {
          // The second answer comes from memory.
          expect(await signed({ ...claim, message: text })).toBe(true)
          expect(await signed({ ...claim, message: text })).toBe(true)
          expect(await signed({ ...claim, message: another })).toBe(false)
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('a signature that was recognised', () => {
  const counting = () => {
    let recoveries = 0
    const recover: Recover = (hash, signature) => {
      recoveries += 1
      return recovers.native?.(hash, signature)
    }
    return { signed: recogniser(parts({ recover })), recoveries: () => recoveries }
  }

  it('is not recovered again', async () => {
    const { signed, recoveries } = counting()
    const signature = await wallet.signMessage({ message })
    for (let time = 0; time < 3; time++) await signed({ account, message, signature })
    expect(recoveries()).toBe(1)
  })

  it('speaks for no other account and no other message', async () => {
    const { signed } = counting()
    const signature = await wallet.signMessage({ message })
    const claim = { account, message, signature }
    expect(await signed(claim)).toBe(true)
    const stranger = privateKeyToAccount(generatePrivateKey()).address as Account
    expect(await signed({ ...claim, account: stranger })).toBe(false)
    expect(await signed({ ...claim, account: account.toLowerCase() as Account })).toBe(false)
    expect(await signed({ ...claim, message: 'other' })).toBe(false)
    expect(await signed(claim)).toBe(true)
  })

  it('is tried again when it was not', async () => {
    const { signed, recoveries } = counting()
    const signature = await wallet.signMessage({ message })
    for (let time = 0; time < 3; time++) {
      expect(await signed({ account, message: 'other', signature })).toBe(false)
    }
    expect(recoveries()).toBe(3)
  })
})

describe('a contract', () => {
  it('is recognised by what it says it signed (ERC-1271)', async () => {
    const owner = encodeAbiParameters([{ type: 'address' }], [account])
    const contract = await deploy(`${ContractWallet?.bytecode as Hex}${owner.slice(2)}`)
    const signature = await wallet.signMessage({ message })
    expect(await recognise({ account: contract, message, signature })).toBe(true)
    expect(await recognise({ account: contract, message: 'other', signature })).toBe(false)
  })

  it('is recognised before it is deployed (ERC-6492)', async () => {
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
    expect(await recognise({ account: contract, message, signature: await wrapped(wallet) })).toBe(
      true,
    )
    const stranger = privateKeyToAccount(generatePrivateKey())
    expect(
      await recognise({ account: contract, message, signature: await wrapped(stranger) }),
    ).toBe(false)
  })

  it('that changes its mind is believed each time', async () => {
    const contract = await deploy(FickleWallet?.bytecode as Hex)
    const claim = { account: contract, message, signature: await wallet.signMessage({ message }) }
    expect(await recognise(claim)).toBe(true)
    const data = encodeFunctionData({ abi: FickleWallet?.abi ?? [], functionName: 'close' })
    await sendOnce({ client: connect(evm), wallet }, { operation: 'close', to: contract, data })
    expect(await recognise(claim)).toBe(false)
  })

  it('that never answers is not recognised, and costs a bounded time', async () => {
    const contract = await deploy(EndlessWallet?.bytecode as Hex)
    const signature = await wallet.signMessage({ message })
    expect(await recognise({ account: contract, message, signature })).toBe(false)
  })

  it('without an answer of the chain is unknown, not a stranger', async () => {
    const gone = { request: () => Promise.reject(new Error('gone')) }
    const signature = await privateKeyToAccount(generatePrivateKey()).signMessage({ message })
    const signed = recogniser({ ...parts(), client: connect(gone) })
    const claim = { account, message, signature }
    const ask = contractSigned({ client: connect(gone), keccak: keccaks.wasm as Keccak })
    for (const answering of [signed, ask]) {
      const answer = await answering(claim).catch((error: unknown) => error)
      expect(isFailure(answer, 'ledger/unavailable')).toBe(true)
    }
    expect(hexToBytes(signature)).toHaveLength(65)
  })
})
