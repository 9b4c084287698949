/** Mutants that behave exactly as the original, by name, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {
  'src/Orders.sol neighbour of constant: 10_000 → 10001':
    'a lack of gas leaves some 1,000 and a refusal of the dollar far more, so both constants part them',
  'src/Orders.sol neighbour of constant: 10_000 → 9999':
    'a lack of gas leaves some 1,000 and a refusal of the dollar far more, so both constants part them',
  'src/libraries/Royalty.sol < to <=: royaltyBps < left → royaltyBps <= left':
    'where the two are equal, both give the same share',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1':
    'where the words of a payment begin does not matter, because there are none',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1 (3)':
    'where the answer to a payment goes does not matter, because none of it is copied',
  'src/Payments.sol < to <=: gasleft() < _GAS_TO_PAY → gasleft() <= _GAS_TO_PAY':
    'a recipient gets its whole allowance with exactly as much gas, and with one unit more',
  'src/Orders.sol < to <=: gasleft() < _LEAST_REST → gasleft() <= _LEAST_REST':
    'a lack of gas leaves some 1,000 and a refusal of the dollar far more, so both comparisons part them',
  'src/Relayed.sol neighbour of constant: 20 → 19':
    'the forwarder appends the 20 bytes of an account, so no call of it is shorter',
  'src/Forwarder.sol neighbour of constant: 0 → 1':
    'an account with a single byte of code confirms no signature, so it may be asked or not',
  'src/Forwarder.sol drop statement: return (isValid, signer);':
    'an account without code confirms no signature, so it may be asked or not',
  'src/Trade.sol < to <=: from < block.timestamp → from <= block.timestamp':
    'where the two are equal, both give the same time',
  'src/libraries/Holder.sol neighbour of constant: 192 → 191 (2)':
    'no account has as many as 2^191 tokens',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1 (4)':
    'a byte of the answer goes to scratch memory, which nothing reads after it',
  'src/libraries/Transfer.sol drop statement: mstore(0, 0)':
    'the word is read only after an answer of at least 32 bytes has replaced it',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1 (5)':
    'the word is read only after an answer of at least 32 bytes has replaced it',
  'src/libraries/Transfer.sol neighbour of constant: 0 → 1 (6)':
    'the word is read only after an answer of at least 32 bytes has replaced it',
  'src/libraries/Transfer.sol neighbour of constant: 32 → 33 (2)':
    'the byte after the word of the answer goes to scratch memory, which nothing reads after it',
  'src/libraries/Transfer.sol neighbour of constant: 31 → 30':
    'of an answer of 31 bytes the last byte of the word is 0, so it is not 1',
  'src/libraries/Transfer.sol swap neighbours: iszero(returndatasize()), and(gt(returndatasize(), 31), eq(mload(0), 1)) → and(gt(returndatasize(), 31), eq(mload(0), 1)), iszero(returndatasize())':
    'the order of the two does not matter',
  'src/libraries/Transfer.sol swap neighbours: gt(returndatasize(), 31), eq(mload(0), 1) → eq(mload(0), 1), gt(returndatasize(), 31)':
    'the order of the two does not matter',
}
