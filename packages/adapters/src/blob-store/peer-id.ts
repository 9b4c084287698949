/**
 * Returns the peer id of a node, by the seed of its key. Other nodes name it at the end of the
 * addresses under which they know this one.
 */
export async function peerIdOf(seed: Uint8Array): Promise<string> {
  // Loaded only here: most programs need no peers.
  const [{ generateKeyPairFromSeed }, { peerIdFromPrivateKey }] = await Promise.all([
    import('@libp2p/crypto/keys'),
    import('@libp2p/peer-id'),
  ])
  return peerIdFromPrivateKey(await generateKeyPairFromSeed('Ed25519', seed)).toString()
}
