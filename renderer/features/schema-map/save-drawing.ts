// Turns the schema map on the page into an SVG file that needs no style sheet. For that, computed styles become attributes.

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const

/** Attributes that only the page needs. */
const OF_PAGE = ['class', 'style', 'role', 'tabindex', 'aria-pressed', 'aria-hidden', 'data-table']

/** Elements that are never visible, but that the drawing needs. */
const UNSEEN: ReadonlySet<string> = new Set(['title', 'defs', 'pattern'])

/** Returns the drawing in its natural size, in the colours of the page. */
export function svgText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  const { width, height } = drawing.viewBox.baseVal
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(Math.ceil(width)))
  copy.setAttribute('height', String(Math.ceil(height)))
  // The copy is added to the page, because browsers compute styles only for elements of a page.
  const stage = document.createElement('div')
  stage.style.cssText = 'position:fixed;left:-100000px;top:0'
  stage.inert = true
  stage.append(copy)
  document.body.append(stage)
  try {
    inlineStyles(copy)
    copy.prepend(background(width, height))
    return new XMLSerializer().serializeToString(copy)
  } finally {
    stage.remove()
  }
}

function inlineStyles(root: SVGSVGElement): void {
  const all = [root, ...root.querySelectorAll('*')]
  const computed = all.map((element) => {
    const style = getComputedStyle(element)
    const isHidden = style.display === 'none'
    return { isHidden, values: STYLES.map((name) => style.getPropertyValue(name)) }
  })
  for (const [index, element] of all.entries()) {
    const { isHidden, values } = computed[index] ?? { isHidden: false, values: [] }
    if (isHidden && !UNSEEN.has(element.localName)) {
      element.remove()
      continue
    }
    for (const [place, name] of STYLES.entries()) element.setAttribute(name, values[place] ?? '')
    for (const name of OF_PAGE) element.removeAttribute(name)
  }
}

function background(width: number, height: number): SVGRectElement {
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  rect.setAttribute('width', String(width))
  rect.setAttribute('height', String(height))
  rect.setAttribute('fill', getComputedStyle(document.body).backgroundColor)
  return rect
}
