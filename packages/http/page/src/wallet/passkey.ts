import {
  type Chain,
  concat,
  createClient,
  custom,
  type Hex,
  isHex,
  numberToHex,
  sha256,
  stringToHex,
  type TypedDataDefinition,
  toHex,
} from 'viem'
import type { WebAuthnAccount } from 'viem/account-abstraction'
import { call, getCode } from 'viem/actions'
import {
  hasPasskeyAccounts,
  passkeyAddress,
} from '../../../../adapters/src/ledger/relay/passkey-account.ts'
import { causes } from '../../../../adapters/src/platform/error-words.ts'
import { loadDeployment } from '../api/deployment.ts'
import { Problem } from '../api/problem.ts'
import { parseOr } from '../text/parse-or.ts'
import type { Provider } from './connected-wallet.ts'
import { hasRpc, nodeProvider, rpcProvider } from './rpc-provider.ts'
import { toWalletProblem } from './to-wallet-problem.ts'

/** A passkey of this site (WebAuthn): its public key, from which its account follows, is shown once. */
export type Passkey = { readonly id: string; readonly publicKey: Hex }

const storageKey = 'heirloom.passkey'

/** Returns the passkey that this browser used last; it stays when the wallet is disconnected. */
export function storedPasskey(): Passkey | undefined {
  const stored = parseOr<Partial<Passkey> | null>(localStorage.getItem(storageKey), null)
  return isHex(stored?.publicKey) ? (stored as Passkey) : undefined
}

/** Stores a passkey, which is no secret: only its device signs with it. */
export const storePasskey = ({ id, publicKey }: Passkey): void =>
  localStorage.setItem(storageKey, JSON.stringify({ id, publicKey }))

/** Returns the account of a passkey. */
export const accountOf = ({ publicKey }: Passkey): Hex => passkeyAddress(publicKey)

/** Returns the node that anybody may read: that of the server, or the public one that it names. */
export async function loadPublicNode(): Promise<Provider> {
  const { rpcUrl } = await loadDeployment()
  return hasRpc.value || rpcUrl == null ? rpcProvider : nodeProvider(rpcUrl)
}

/** Returns whether a host is a name: a passkey belongs to one, and never to an address. */
export const isName = (host: string): boolean => /[a-z][^:\]]*$/i.test(host)

/** Returns whether passkeys have accounts here: in this browser, on this chain and for this server, which pays. */
export async function hasPasskeys(): Promise<boolean> {
  const { openActs } = await loadDeployment()
  if (
    !isName(location.hostname) ||
    !('PublicKeyCredential' in globalThis) ||
    !openActs.includes('relay')
  )
    return false
  const client = await openNode()
  return hasPasskeyAccounts({
    getCode: (of) => getCode(client, of),
    call: (of) => call(client, of),
  })
}

async function openNode() {
  const { chainId: id } = await loadDeployment()
  return createClient({ chain: { id } as Chain, transport: custom(await loadPublicNode()) })
}

/** Returns what signs for the account of a passkey, whose device confirms each signature. */
export function passkeySigner(credential: Passkey) {
  const address = accountOf(credential)
  const open = async () => {
    const { toCoinbaseSmartAccount, toWebAuthnAccount } = await import('viem/account-abstraction')
    const owners = [toWebAuthnAccount({ credential })]
    return toCoinbaseSmartAccount({ client: await openNode(), address, owners, version: '1' })
  }
  return {
    address,
    signMessage: (of: { readonly message: { readonly raw: Hex } | string }) =>
      prompt(async () => (await open()).signMessage(of)),
    signTypedData: (data: TypedDataDefinition) =>
      prompt(async () => (await open()).signTypedData(data)),
  }
}

/** Makes a passkey; none that the device has is replaced, since each is of another user. */
export async function makePasskey(): Promise<Passkey> {
  const { createWebAuthnCredential } = await import('viem/account-abstraction')
  const name = `Heirloom, ${new Date().toLocaleString()}`
  const user = { id: crypto.getRandomValues(new Uint8Array(32)), name, displayName: name }
  const rp = { id: location.hostname, name: 'Heirloom' }
  return prompt(() =>
    createWebAuthnCredential({
      user,
      rp,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    }),
  )
}

/** Finds a passkey that the device has, by two signatures: each can be of one of two public keys. */
export async function findPasskey(): Promise<Passkey> {
  const first = await signAny('')
  const second = await signAny(first.id).catch(explainUnknown)
  const publicKey = first.keys.find((it) => second.keys.includes(it))
  return publicKey === undefined ? explainUnknown() : { id: first.id, publicKey }
}

/** Lets a passkey sign what means nothing, and returns the public keys that the signature can be of. */
async function signAny(id: string) {
  const { toWebAuthnAccount } = await import('viem/account-abstraction')
  const hash = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const account = toWebAuthnAccount({ credential: { id, publicKey: '0x' } })
  const signed = await prompt(() => account.sign({ hash }))
  return { id: signed.raw.id, keys: await recoverPublicKeys(signed) }
}

type Signed = Awaited<ReturnType<WebAuthnAccount['sign']>>

async function recoverPublicKeys({ signature, webauthn }: Signed): Promise<readonly Hex[]> {
  const { recoverPublicKey } = await import('ox/P256')
  const { authenticatorData, clientDataJSON } = webauthn
  const payload = sha256(concat([authenticatorData, sha256(stringToHex(clientDataJSON))]))
  const [r, s] = [BigInt(signature.slice(0, 66)), BigInt(`0x${signature.slice(66)}`)]
  return [0, 1].map((yParity) => {
    const { x, y } = recoverPublicKey({ payload, signature: { r, s, yParity } })
    return concat([numberToHex(x, { size: 32 }), numberToHex(y, { size: 32 })])
  })
}

function explainUnknown(cause?: unknown): never {
  throw new Problem(
    'There is a passkey, but only two signatures show which account it is of.',
    'Nothing was paid. Use it again, and confirm twice.',
    { code: 'wallet/declined', cause },
  )
}

/** Has a device confirm something. @throws {Problem} when it does not */
async function prompt<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    const errors = [...causes(cause)]
    if (errors.some((it) => Object(it).name === 'NotAllowedError')) {
      throw new Problem(
        'No passkey has confirmed that: you declined, or this device does not have it.',
        'Nothing was paid. You can try again.',
        { code: 'wallet/declined', cause },
      )
    }
    throw errors.find((it) => it instanceof Problem) ?? toWalletProblem(cause)
  }
}
