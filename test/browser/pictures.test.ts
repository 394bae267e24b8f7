// The pictures of the inspector in the documentation can be made again, and show what the inspector shows today.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differenceOf, makePictures, type PictureWords, SIZE } from '../pictures/make-pictures.ts'
import { PICTURES } from '../pictures/pictures.ts'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'

/** A picture is old when a third of its words changed. Only letters count, so values and times may change. */
const TOO_DIFFERENT = 0.33
/** Bytes of one picture. */
const LARGEST = 160_000

/** The names of the pictures in the pages, without those of charts, which are SVG. */
const NAMED = new Set(
  ['README.md', ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`)].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/images\/([\w-]+\.png)/g)].map(([, name = '']) => name),
  ),
)

describe.skipIf(CHROMIUM === undefined)(`the pictures of the documentation${CHROMIUM_HINT}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-pictures-'))
  let words: PictureWords
  beforeAll(async () => {
    words = await makePictures(await workerChromium(), folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('can all be made', () => {
    expect(NAMED.size).toBeGreaterThan(2)
    const made = new Set(readdirSync(folder))
    expect([...NAMED].filter((name) => !made.has(name))).toEqual([])
    expect(readdirSync('docs/images').filter((name) => name.endsWith('.png'))).toEqual(
      [...made].toSorted(),
    )
  })

  it.each(PICTURES.map(({ name }) => name))(
    '%s differs in the two themes and is small',
    async (name) => {
      const [light, dark] = [`${name}.png`, `${name}-dark.png`]
      for (const file of [light, dark].map((each) => join(folder, each))) {
        const { width, height } = await sharp(file).metadata()
        expect({ width, height }, basename(file)).toEqual(SIZE)
        expect(readFileSync(file).byteLength, basename(file)).toBeLessThan(LARGEST)
      }
      const [ofLight, ofDark] = await Promise.all([light, dark].map(brightnessOf))
      expect(ofLight).toBeGreaterThan(180)
      expect(ofDark).toBeLessThan(80)
    },
  )

  it.each(PICTURES.map(({ name }) => name))('%s shows the screen of today', (name) => {
    expect(existsSync(`docs/images/${name}.png`)).toBe(true)
    const kept: PictureWords = JSON.parse(readFileSync('test/pictures/words.json', 'utf8'))
    const difference = differenceOf(kept[name] ?? [], words[name] ?? [])
    expect(difference, 'Run "npm run docs:pictures", and look at the pictures.').toBeLessThan(
      TOO_DIFFERENT,
    )
  })

  async function brightnessOf(name: string): Promise<number> {
    const { channels } = await sharp(join(folder, name)).greyscale().stats()
    return channels[0]?.mean ?? 0
  }
})
