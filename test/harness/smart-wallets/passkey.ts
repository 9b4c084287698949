import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, toHex } from 'viem'
import { type ToWebAuthnAccountParameters, toWebAuthnAccount } from 'viem/account-abstraction'
import type { WalletChain } from './wallet-chain.ts'

type Fixture = Readonly<Record<'deployer' | 'deployment' | 'implementation' | 'factory', Hex>>

const fixture = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/passkey-accounts.json'), 'utf8'),
) as Fixture

/** The address of the Safe Singleton Factory, which has no key: what it deploys has the same address anywhere. */
const singletonFactory: Hex = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'

/** Deploys the factory of passkey accounts, at the address that it has on public chains. */
export async function deployPasskeyFactory(chain: WalletChain): Promise<void> {
  await chain.send({ to: fixture.deployer, value: 10n ** 18n })
  const hash = await chain.client.sendRawTransaction({ serializedTransaction: fixture.deployment })
  await chain.client.waitForTransactionReceipt({ hash })
  for (const data of [fixture.implementation, fixture.factory]) {
    await chain.send({ to: singletonFactory, data, gas: 6_000_000n })
  }
}

type GetCredential = NonNullable<ToWebAuthnAccountParameters['getFn']>
type Authenticator = {
  readonly credential: ToWebAuthnAccountParameters['credential']
  readonly getFn: GetCredential
}

/** Returns an authenticator in this process with one credential, which signs for any page. */
export function authenticator(rpId = 'localhost'): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const credential = { id: 'AQ', publicKey: toHex(point) }
  const getFn = async (options: unknown) => {
    const { challenge } = (options as { publicKey: { challenge: Uint8Array } }).publicKey
    return { id: credential.id, response: assert(privateKey, rpId, challenge) } as never
  }
  return { credential, getFn }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

function assert(key: KeyObject, rpId: string, challenge: Uint8Array) {
  const text = {
    type: 'webauthn.get',
    challenge: Buffer.from(challenge).toString('base64url'),
    origin: `https://${rpId}`,
    crossOrigin: false,
  }
  const clientDataJSON = Buffer.from(JSON.stringify(text))
  // User present and verified; no counter.
  const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([5, 0, 0, 0, 0])])
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
  return {
    clientDataJSON,
    authenticatorData,
    signature: createSign('SHA256').update(signed).sign(key),
  }
}

/** Returns an account of viem that an authenticator signs for. */
export const webAuthnOwner = ({ credential, getFn }: Authenticator) =>
  toWebAuthnAccount({ credential, getFn, rpId: 'localhost' })
