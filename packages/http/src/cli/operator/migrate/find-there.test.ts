import { type Account, account, digest, hash, type TokenId, tokenId } from '@heirloom/core'
import { describe, expect, test } from 'vitest'
import { findThere } from './find-there.ts'

const [ann, bob, eve] = ['a1', 'b2', 'e3'].map((byte) => account(`0x${byte.repeat(20)}`)) as [
  Account,
  Account,
  Account,
]

type Facts = {
  readonly creator?: Account
  readonly owner?: Account
  readonly content?: string
  readonly parent?: number
  readonly royaltyBps?: number
}

const token = (id: number, facts: Facts = {}) => ({
  tokenId: tokenId(BigInt(id)),
  creator: facts.creator ?? ann,
  owner: facts.owner ?? bob,
  parent: facts.parent === undefined ? undefined : tokenId(BigInt(facts.parent)),
  royaltyBps: facts.royaltyBps,
  contentHash: hash(`0x${(facts.content ?? '01').repeat(32)}`),
  digest: digest(`0x${'dd'.repeat(32)}`),
})

const nothing: ReadonlyMap<TokenId, TokenId> = new Map()
const found = (old: readonly ReturnType<typeof token>[], there: typeof old, known = nothing) => {
  const { moved, disputed } = findThere(old, there, known)
  return [[...moved], [...disputed]]
}

describe('a token of the old registry', () => {
  test('is there when its creator minted its content for its owner', () => {
    expect(found([token(1)], [token(7)])).toEqual([[[1n, 7n]], []])
  })

  test('is not there by a mint of somebody else', () => {
    expect(found([token(1)], [token(7, { creator: eve, owner: eve })])).toEqual([[], []])
  })

  test('is disputed when its creator minted it for another owner', () => {
    expect(found([token(1)], [token(7, { owner: ann })])).toEqual([[], [1n]])
  })

  test('is matched in order when its creator minted it several times', () => {
    const [old, there] = [
      [token(1), token(2)],
      [token(7), token(8)],
    ]
    expect(found(old, there)[0]).toEqual([
      [1n, 7n],
      [2n, 8n],
    ])
    const known = new Map([[tokenId(1n), tokenId(8n)]])
    expect(found(old, there, known)[0]).toEqual([
      [1n, 8n],
      [2n, 7n],
    ])
  })

  test('is there as a licensed fork only below its parent, with its royalty', () => {
    const fork = { parent: 1, royaltyBps: 500 }
    const old = [token(1), token(2, fork)]
    const there = [token(7), token(8, { ...fork, parent: 7 })]
    expect(found(old, there)[0]).toEqual([
      [1n, 7n],
      [2n, 8n],
    ])
    expect(found(old, [token(7), token(8, { parent: 7, royaltyBps: 0 })])[0]).toEqual([[1n, 7n]])
  })
})
