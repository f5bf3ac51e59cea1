// Before anything is drawn, so that nothing flashes.
{
  let theme = null;
  try {
    theme = localStorage.getItem("mineproof.theme");
  } catch {
    // No storage: the system's choice holds.
  }
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}
