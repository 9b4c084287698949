import { createHash } from 'node:crypto'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist as czech } from '@scure/bip39/wordlists/czech'
import { wordlist as english } from '@scure/bip39/wordlists/english'
import { wordlist as french } from '@scure/bip39/wordlists/french'
import { wordlist as italian } from '@scure/bip39/wordlists/italian'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese'
import { wordlist as korean } from '@scure/bip39/wordlists/korean'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese'
import { wordlist as chinese } from '@scure/bip39/wordlists/simplified-chinese'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish'
import { wordlist as taiwanese } from '@scure/bip39/wordlists/traditional-chinese'
import { alphabets, type Draw } from '../draw.ts'
import type { Place } from './key-places.ts'
import { secret } from './marks.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Returns bytes in base 58 with the checksum of Bitcoin. */
export function base58Check(bytes: Uint8Array): string {
  const all = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)])
  let rest = BigInt(`0x${all.toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 58n) text = alphabets.base58.charAt(Number(rest % 58n)) + text
  return text
}

const bytesOf = (draw: Draw, length: number) => Buffer.from(draw.hex(length), 'hex')

/** The lists of words of BIP 39, English most often, as in life. */
const wordlists = [
  english,
  english,
  spanish,
  english,
  french,
  english,
  japanese,
  italian,
  korean,
  english,
  portuguese,
  czech,
  chinese,
  english,
  taiwanese,
]

/** Returns a recovery phrase (BIP 39) of 12 to 24 words with a valid checksum. */
export function drawPhrase(draw: Draw, lists = wordlists): string {
  const list = draw.pick(lists)
  const bytes = draw.pick([16, 16, 32, 20, 24, 28])
  return entropyToMnemonic(bytesOf(draw, bytes), list)
}

/** The places of recovery phrases. */
export const phrasePlaces: readonly Place[] = [
  (phrase) => `My seed phrase is ${phrase}`,
  (phrase) => `Wallet backup:\n\n${phrase}\n\nKeep offline.`,
  (phrase) => `{"wallet":{"mnemonic":"${phrase}","path":"m/44'/60'/0'/0/0"}}`,
  (phrase) => `MNEMONIC="${phrase}"`,
  (phrase) => `The user wrote: "${phrase}". I told them never to share it.`,
  (phrase) => `> ${phrase}`,
  (phrase) => `const account = mnemonicToAccount('${phrase}')`,
  (phrase) => `recovery: ${phrase}.`,
  (phrase) => `| wallet | words |\n|---|---|\n| cold | ${phrase} |`,
]

const wif = (draw: Draw) =>
  base58Check(Buffer.concat([Buffer.from([0x80]), bytesOf(draw, 32), Buffer.from([1])]))
const extendedKey = (draw: Draw) =>
  base58Check(
    Buffer.concat([
      Buffer.from('0488ade4', 'hex'),
      Buffer.alloc(9),
      bytesOf(draw, 32),
      Buffer.from([0]),
      bytesOf(draw, 32),
    ]),
  )
const prefixed = (draw: Draw) => secret(draw.hex(32), '0x')

/** Private keys of wallets, with what stands around them. */
export const walletKeys: readonly ((draw: Draw) => string)[] = [
  (d) => `PRIVATE_KEY=${prefixed(d)}\nRPC_URL=https://rpc.example.com`,
  (d) => `The private key of the deployer is ${prefixed(d)}`,
  (d) => `imported key ${secret(wif(d))} into Electrum`,
  (d) =>
    `cast send 0x${d.hex(20)} "mint()" --private-key ${prefixed(d)} --rpc-url http://localhost:8545`,
  (d) => `const wallet = new Wallet('${prefixed(d)}', provider)`,
  (d) => `master: ${secret(extendedKey(d))}`,
  (d) => `accounts: ["${prefixed(d)}"],`,
  (d) => `Solana keypair (base58), private key: ${secret(d.text(alphabets.base58, 88))}`,
  (d) => `{"address":"0x${d.hex(20)}","privateKey":"${prefixed(d)}"}`,
  (d) => `nostr login ${secret(`nsec1${d.text(alphabets.bech32, 58)}`)}`,
  (d) => `DEPLOYER_KEY=${prefixed(d)}`,
  (d) => `private key: ${secret(d.hex(32))}`,
]
