import { expect, test } from 'vitest'
import {
  bundle,
  failsWith,
  memoryFixture,
  unknown,
} from '../../../../test/harness/memory-fixture.ts'
import { proveAccount } from './prove-account.ts'
import { snapshot } from './snapshot.ts'

test('verifies the proof of an account without a right, of this token and this time alone', async () => {
  const { ports, prove, stranger, author } = memoryFixture()
  const { tokenId } = await snapshot(ports, { bundle })
  const proof = await prove(tokenId, { by: stranger })
  await proveAccount(ports, { tokenId, proof })
  await expect(proveAccount(ports, { tokenId: unknown, proof })).rejects.toEqual(
    failsWith('proof/not-signed', { account: stranger.ledger.agent }),
  )
  const stale = { ...proof, timestamp: proof.timestamp - 121 }
  await expect(proveAccount(ports, { tokenId, proof: stale })).rejects.toEqual(
    failsWith('proof/stale'),
  )
  const forged = await prove(tokenId, { by: author, signer: stranger })
  await expect(proveAccount(ports, { tokenId, proof: forged })).rejects.toEqual(
    failsWith('proof/not-signed', { account: author.ledger.agent }),
  )
  const unaccepted = proveAccount(ports, { tokenId, proof, challenges: [] })
  await expect(unaccepted).rejects.toEqual(failsWith('proof/not-bound'))
})

test('leaves the proof of a contract to the download', async () => {
  const { ports, prove, stranger, author, world } = memoryFixture()
  const { tokenId } = await snapshot(ports, { bundle })
  const account = await world.sharedWallet([author, stranger])
  const { signature, timestamp } = await prove(tokenId, { by: stranger })
  await proveAccount(ports, {
    tokenId,
    proof: { account, timestamp, signature: `${signature}${signature.slice(2)}` },
  })
})
