// Puts the page together. window.simrun is for those who test the page.

const simrun = { runs: [], views: [], timing: {}, head: null };

async function start() {
  const began = performance.now();
  const { head, runs } = await readPage(document.getElementById("data").textContent);
  Object.assign(simrun, { head, runs });
  simrun.timing.load = performance.now() - began;
  return simrun;
}

simrun.ready = start();
simrun.ready.catch((cause) => {
  document.getElementById("status").textContent = `The data of this page cannot be read: ${cause.message}`;
});
window.simrun = simrun;
