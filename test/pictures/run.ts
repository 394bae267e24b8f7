// `npm run docs:pictures`: makes the pictures of the inspector in docs/images again, with the words that their screens show
// (words.json), by which test/browser/pictures.test.ts finds old pictures.
import { writeFileSync } from 'node:fs'
import { packageFile } from '../../emulator/core/package-files.ts'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'
import { makePictures } from './make-pictures.ts'

if (CHROMIUM === undefined) throw new Error(`The pictures need Chromium${CHROMIUM_HINT}`)
const browser = await workerChromium()
const words = await makePictures(browser, packageFile('docs/images'))
writeFileSync(packageFile('test/pictures/words.json'), `${JSON.stringify(words, null, 2)}\n`)
await browser.close()
process.stdout.write(
  `${Object.keys(words).length} pictures, each for the light and the dark theme\n`,
)
