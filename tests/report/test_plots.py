"""What a plot says is within the plot."""

from kept import read
from matplotlib.axis import Axis
from matplotlib.text import Text


def test_no_text_is_cut_off(records):
    for name, draw in read(records).figures.items():
        made = draw()
        made.canvas.draw()
        ticks = {label for axis in made.findobj(Axis) for tick in
                 [*axis.get_major_ticks(), *axis.get_minor_ticks()]
                 for label in (tick.label1, tick.label2)}  # some stand ready beyond the axis
        texts = [text for text in made.findobj(Text) if text not in ticks
                 and text.get_visible() and text.get_text()]
        assert texts, name
        for text in texts:
            box = text.get_window_extent()
            assert min(box.x0, box.y0) > -1, (name, text)
            assert box.x1 < made.bbox.width + 1, (name, text)
            assert box.y1 < made.bbox.height + 1, (name, text)
