// The documentation site (`npm run docs:site`): pages are the Markdown files of docs/ and of the repository's folder.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vitepress'
import { noteLicenses, writeLicenses } from '../../scripts/third-party-licenses.ts'
import { BEFORE_PAGE, BEFORE_PAGE_SCRIPT, withoutInlineScripts } from './inline-scripts.ts'
import { adaptMarkdown, slugOf } from './markdown.ts'
import { pagePath, ROOT, ROOT_PAGES, sidebar } from './pages.ts'

const { version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const sourceUrl: string | undefined = repository?.url?.replace(/^git\+|\.git$/g, '')

export default defineConfig({
  title: 'Tenantry',
  description: 'A multi-tenant backend platform on your laptop',
  lang: 'en',
  // Addresses are relative, so that the site works below any path and without a network.
  base: './',
  srcDir: '..',
  outDir: '../dist/docs-site',
  cacheDir: '../.cache/docs-site',
  srcExclude: [
    '!(docs)/**/*.md',
    `!(${ROOT_PAGES.map((file) => file.replace('.md', '')).join('|')}).md`,
  ],
  rewrites: pagePath,
  // Else every config.ts of the repository would be one of the site.
  additionalConfig: {},
  // scripts/check-docs-site.ts checks links and anchors of the built pages.
  ignoreDeadLinks: true,
  transformHtml: withoutInlineScripts,
  buildEnd: ({ outDir }) => {
    writeFileSync(join(outDir, BEFORE_PAGE), BEFORE_PAGE_SCRIPT)
    copyFileSync(join(ROOT, 'renderer/icon.svg'), join(outDir, 'icon.svg'))
    writeLicenses(join(outDir, 'third-party-licenses.txt'))
  },
  markdown: {
    anchor: { slugify: slugOf },
    attrs: false,
    // The themes with a contrast of 7 to 1.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => adaptMarkdown(md, sourceUrl),
  },
  vite: { plugins: [tailwindcss(), noteLicenses] },
  themeConfig: {
    ...(sourceUrl === undefined
      ? {}
      : { editLink: { pattern: `${sourceUrl}/edit/main/:path`, text: 'Edit this page' } }),
    nav: [{ text: `Version ${version}`, link: '/changelog' }],
    sidebar: sidebar() as never,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        // A word of eight letters is found with one wrong letter. The default finds “released” for “rehearse”.
        miniSearch: {
          searchOptions: { fuzzy: 0.13, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
        },
        // The changelog mentions every word.
        _render: (source, env, md) =>
          env.relativePath === 'changelog.md' ? '' : md.renderAsync(source, env),
      },
    },
  },
})
