import { expect, test } from 'vitest'
import { mostShown, pickFirstOfTitles, pickSimilar, similarPaths } from './related.tsx'

const hashOf = (id: string) => `0x${id.padStart(64, '0')}` as const

const memory = (tokenId: string, card: { title: string; tags?: string[]; category?: string }) => ({
  tokenId,
  card,
  contentHash: hashOf(tokenId),
})

const own = memory('1', {
  title: 'Order books',
  tags: ['markets', 'calm', 'more'],
  category: 'trading',
})

test('asks by two tags and by the category', () => {
  expect(similarPaths(own)).toEqual([
    '/api/marketplace/listings?tag=markets&group=family&limit=8',
    '/api/marketplace/listings?tag=calm&group=family&limit=8',
    '/api/marketplace/listings?category=trading&group=family&limit=8',
  ])
  expect(similarPaths({ card: null })).toEqual([])
})

test('prefers what shares most, each once, without the memory and its forks', () => {
  const fork = { ...memory('9', own.card), contentHash: own.contentHash }
  const close = memory('2', { title: 'Other order books', tags: ['markets'], category: 'trading' })
  const far = memory('3', { title: 'Else', category: 'trading' })
  const unlike = memory('4', { title: 'Cooking', category: 'food' })
  const found = [far, own, fork, close, unlike, close]
  expect(pickSimilar(own, found).map(({ tokenId }) => tokenId)).toEqual(['2', '3'])
  const many = Array.from({ length: 9 }, (_, index) => memory(`${20 + index}`, far.card))
  expect(pickSimilar(own, many)).toHaveLength(mostShown)
})

test('shows of the versions of a memory the first in the list, and each memory without a title', () => {
  const versions = ['5', '4'].map((id) => memory(id, { title: 'Tides' }))
  const untitled = ['3', '2'].map((tokenId) => ({ ...own, tokenId, card: null }))
  const picked = pickFirstOfTitles([...versions, ...untitled, own])
  expect(picked.map(({ tokenId }) => tokenId)).toEqual(['5', '3', '2', '1'])
})
