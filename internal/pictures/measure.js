// The measures of all comments of the page, by the order in which they come.
[...document.querySelectorAll("article")].map(article => {
  const height = Math.ceil(article.getBoundingClientRect().height);
  for (const fold of article.querySelectorAll("details")) fold.open = true;
  const padding = parseFloat(getComputedStyle(article).paddingRight);
  const edge = article.getBoundingClientRect().right - padding - 1;
  const wide = [];
  for (const element of article.querySelectorAll("*")) {
    if (element.closest("pre") || wide.some(outer => outer.element.contains(element))) continue;
    const box = element.getBoundingClientRect();
    const inline = getComputedStyle(element).display === "inline";
    const reach = Math.max(box.right, inline ? 0 : box.left + element.scrollWidth);
    if (reach > edge + 1) wide.push({ element, by: Math.round(reach - edge) });
  }
  return {
    name: article.dataset.name,
    height,
    wide: wide.map(({ element, by }) => {
      const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
      return `${element.tagName.toLowerCase()} is ${by} pixels too wide: ${text}`;
    }),
  };
})
