"""The model files of fused_parts: what its parts learn from, with posts and without."""

from pathlib import Path

import yaml

from ncsbench.pairs.training_pairs.pair_options import DerivedOptions
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.runs.row_models import load_pair_sets
from ncsbench.pipeline.runs.run import load_run

SETS = {"github", "android", "java", "deepcs_10k", "neuralcodesum_java"}


def test_no_part_has_seen_a_thread_that_figures_are_of(root: Path, tmp_path: Path) -> None:
    fused = load_model(
        "fused_parts", root=root, stop_words="resources/stopwords/english.txt", seed=1
    )
    named = {f"threads_{name}" for name in SETS}
    assert {name: part.pair_sets for name, part in fused.parts.items()} == {
        "bm25f": set(),
        **dict.fromkeys(("translation", "translation_memory", "unif"), named),
    }
    # Both read one folder, which is made once.
    folders = {
        fused.parts[name].keys.get("translation") for name in ("translation", "translation_memory")
    }
    assert len(folders) == 1
    (tmp_path / "pairs.jsonl").touch()
    files = dict.fromkeys(("deepcs_10k", "neuralcodesum_java"), str(tmp_path / "pairs.jsonl"))
    sets, _ = load_pair_sets(root, with_posts=True, files=files)
    for name in named:
        options = sets[name]
        assert isinstance(options, DerivedOptions)
        assert set(options.without_threads or ()) == {"selection", "test"}


def test_without_posts_the_parts_learn_from_docstrings(project: Path) -> None:
    path = project / "config/datasets/sample.yaml"
    dataset = yaml.safe_load(path.read_text())
    del dataset["posts"]
    path.write_text(yaml.safe_dump(dataset))
    config = {"dataset": "sample", "models": ["fused_parts", "fused_without_posts"]}
    run = load_run(config, root=project)
    assert "posts" in run.left_out["fused_parts"]
    assert run.models["fused_without_posts"].pair_sets == {"github_android"}
