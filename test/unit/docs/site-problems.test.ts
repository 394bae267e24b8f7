// The check of the built documentation site.
import { describe, expect, it } from 'vitest'
import { findSiteProblems } from '../../../scripts/docs-site-problems.ts'

const CI = '<h1 id="ci">CI</h1><a name="old"></a>'

function problemsOf(html: string): readonly string[] {
  const pages = new Map([
    ['index.html', html],
    ['guide/ci.html', CI],
  ])
  return findSiteProblems(pages, new Set([...pages.keys(), 'assets/app.js']))
}

describe('the check of the site', () => {
  it.each([
    ['another page', '<a href="guide/ci.html">'],
    ['an anchor', '<a href="./guide/ci.html#ci">'],
    ['a named anchor', '<a class="x" href="guide/ci.html#old">'],
    ['an anchor of the same page', '<h2 id="start"></h2><a href="#start">'],
    ['a script of the site', '<script type="module" src="./assets/app.js"></script>'],
    ['a page of another host', '<a href="https://www.postgresql.org/docs/">'],
    ['a picture in the page', '<img alt="" src="data:image/svg+xml;base64,eA==">'],
  ])('accepts %s', (_, html) => {
    expect(problemsOf(html)).toEqual([])
  })

  it.each([
    ['<a href="guide/gone.html">', 'links to guide/gone.html, which does not exist'],
    ['<img src="images/gone.png">', 'links to images/gone.png, which does not exist'],
    [
      '<a href="guide/ci.html#gone">',
      'links to guide/ci.html#gone, but that page has no such anchor',
    ],
    ['<a href="../README.md">', 'links to ../README.md, which does not exist'],
    ['<script id="theme">go()</script>', 'a script is in the page, not in a file'],
    ['<script>go()</script>', 'a script is in the page, not in a file'],
    ['<link href="https://fonts.test/a.css">', 'loads https://fonts.test/a.css from elsewhere'],
    ['<img src="//counter.test/a.gif">', 'loads //counter.test/a.gif from elsewhere'],
  ])('reports %s', (html, problem) => {
    expect(problemsOf(html)).toEqual([`index.html: ${problem}`])
  })
})
