// The look of the documentation site: VitePress's own theme with the inspector's colours and fonts.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
