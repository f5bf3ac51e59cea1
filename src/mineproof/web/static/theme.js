// Runs before the page is drawn, so that the theme does not flash.
{
  let theme = null;
  try {
    theme = localStorage.getItem("mineproof.theme");
  } catch {
    // No storage: the system's choice holds.
  }
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}
